// Reads a shared library's notes, sections and needed libraries from its bytes, without running its code. A broken file
// causes an Error, never a crash.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levin::core {

struct ElfFile {
  uint16_t machine = 0;                                   // EM_*
  bool has_note = false;                                  // true if it has .note.levin
  std::vector<std::pair<std::string, std::string>> note;  // the note's key=value pairs, in order
  std::string description;                                // the text of .levin.description, or ""
  std::string sources;                                    // the folder in .levin.sources, or ""
  std::string runpath, build_id;                          // build_id in hex
  std::vector<std::string> needed;                        // DT_NEEDED
  std::string companion;                    // the entry DT_FILTER, DT_AUXILIARY or the like: see file_checks.cpp
  bool rpath_inherited = false;             // true if runpath is a DT_RPATH, which also applies to the needed libraries
  std::string glibc, glibcxx;               // the newest symbol versions needed, "2.34", "3.4.21"
  std::vector<std::string> unique_symbols;  // mangled names of the exported STB_GNU_UNIQUE symbols

  std::string note_value(const std::string& key) const;  // "" if the note has no such key
};

// Reads a 64-bit little-endian ELF shared library from an open file or from bytes. `name` is for messages. Throws
// Error{plugin}.
ElfFile read_elf(int fd, const std::string& name);
ElfFile read_elf(std::string_view bytes, const std::string& name);

const char* machine_name(uint16_t machine);  // "x86-64", ...; "another processor" if unknown

}  // namespace levin::core
