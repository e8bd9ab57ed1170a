// The function symbols of a 64-bit ELF file of this machine, including those that are not exported.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace levin::core {

// A file that is unreadable or corrupt has no symbols.
class ElfSymbols {
 public:
  explicit ElfSymbols(const std::string& file);
  ~ElfSymbols();
  ElfSymbols(const ElfSymbols&) = delete;
  ElfSymbols& operator=(const ElfSymbols&) = delete;

  // Returns the mangled name of the function at this offset from the load address, or "" if it is not known.
  std::string function_at(uint64_t offset) const;
  bool has_debug_lines() const;

 private:
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const;  // nullptr = beyond the end of the file
  template <class Visit>
  void each_section(Visit visit) const;
  std::string_view text_at(uint64_t table, uint64_t size, uint64_t offset) const;

  const char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace levin::core
