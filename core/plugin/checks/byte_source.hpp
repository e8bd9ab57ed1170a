// Bounds-checked reads at an offset, from an open file or from memory.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace levin::core {

class ByteSource {
 public:
  explicit ByteSource(int fd);  // borrowed
  explicit ByteSource(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}

  uint64_t size() const { return size_; }
  bool holds(uint64_t offset, uint64_t n) const { return offset <= size_ && n <= size_ - offset; }
  // Reads n bytes. Returns false if the source does not have them all.
  bool read(uint64_t offset, void* to, uint64_t n) const;
  template <class T>
  bool get(uint64_t offset, T* to) const {
    return read(offset, to, sizeof(T));
  }
  // Returns the n bytes at the offset, or "" if the source does not have them all.
  std::string text(uint64_t offset, uint64_t n) const;
  // Returns the bytes up to the next NUL, or "" if there is none within 4096 bytes.
  std::string c_string(uint64_t offset) const;

 private:
  bool read_file(uint64_t offset, char* to, uint64_t n) const;

  int fd_ = -1;
  mutable std::string block_;  // the file's bytes from block_at_ on, for small reads near each other
  mutable uint64_t block_at_ = 0;
  std::string_view bytes_;
  uint64_t size_ = 0;
};

}  // namespace levin::core
