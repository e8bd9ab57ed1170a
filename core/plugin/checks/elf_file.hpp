// What a shared library says of itself, read from its bytes: notes, sections, needs. No code of it runs, and no bytes,
// however broken, do more than make an Error.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levin::core {

struct ElfFile {
  uint16_t machine = 0;                                   // EM_*
  bool has_note = false;                                  // of .note.levin
  std::vector<std::pair<std::string, std::string>> note;  // its key=value pairs, in order
  std::string description;                                // of .levin.description; empty: none
  std::string soname, runpath, build_id;                  // build_id in hex
  std::vector<std::string> needed;                        // DT_NEEDED
  std::string glibc, glibcxx;                             // the newest symbol versions needed, "2.34", "3.4.21"
  bool static_tls = false;                                // DF_STATIC_TLS

  std::string note_value(const std::string& key) const;  // "" where there is none
};

// A 64-bit little-endian ELF shared library from an open file or from bytes; name is for messages. Throws
// Error{plugin}.
ElfFile read_elf(int fd, const std::string& name);
ElfFile read_elf(std::string_view bytes, const std::string& name);

const char* machine_name(uint16_t machine);  // "x86-64", ...; "another processor" where it is not known
// Compares dotted numbers: "2.9" < "2.34".
bool version_less(const std::string& a, const std::string& b);

}  // namespace levin::core
