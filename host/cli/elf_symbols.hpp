// The function symbols of a 64-bit ELF file of this machine, also those that are not exported.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace levin::core {

// A file that cannot be read, or is broken, has no symbols.
class ElfSymbols {
 public:
  explicit ElfSymbols(const std::string& file);
  ~ElfSymbols();
  ElfSymbols(const ElfSymbols&) = delete;
  ElfSymbols& operator=(const ElfSymbols&) = delete;

  // The mangled name of the function at this offset from where the file is loaded; "": none is known.
  std::string function_at(uint64_t offset) const;
  bool has_debug_lines() const;

 private:
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const;  // nullptr: beyond the file
  template <class Visit>
  void each_section(Visit visit) const;
  std::string_view text_at(uint64_t table, uint64_t size, uint64_t offset) const;

  const char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace levin::core
