// Reads what a shared library says of itself (notes, sections, needed libraries) from its bytes. None of its code runs,
// and a file that is broken in any way leads to an Error and to nothing worse.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levin::core {

struct ElfFile {
  uint16_t machine = 0;                                   // EM_*
  bool has_note = false;                                  // whether it has .note.levin
  std::vector<std::pair<std::string, std::string>> note;  // its key=value pairs, in order
  std::string description;                                // the text of .levin.description, or ""
  std::string runpath, build_id;                          // build_id in hex
  std::vector<std::string> needed;                        // DT_NEEDED
  std::string companion;                                  // of DT_FILTER and the like: see file_checks.cpp
  bool rpath_inherited = false;                           // runpath is a DT_RPATH, which its libraries search too
  std::string glibc, glibcxx;                             // the newest symbol versions needed, "2.34", "3.4.21"
  std::vector<std::string> unique_symbols;  // names that it exports as STB_GNU_UNIQUE, as they are mangled

  std::string note_value(const std::string& key) const;  // "" if the note has no such key
};

// Reads a 64-bit little-endian ELF shared library from an open file or from bytes; `name` is for messages. Throws
// Error{plugin}.
ElfFile read_elf(int fd, const std::string& name);
ElfFile read_elf(std::string_view bytes, const std::string& name);

const char* machine_name(uint16_t machine);  // "x86-64", ...; "another processor" if it is not known

}  // namespace levin::core
