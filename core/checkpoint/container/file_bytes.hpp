// The bytes of a mapped file or of a buffer.
#pragma once
#include <cstdint>
#include <string>

namespace levin::core {

class FileBytes {
 public:
  // Maps a regular file. Throws Error{checkpoint}, whose message begins with the path.
  explicit FileBytes(const std::string& path);
  FileBytes(std::string bytes, std::string name);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  const char* data() const { return data_; }
  uint64_t size() const { return size_; }
  // Both read the file by system calls, so that a failing disk throws an Error. Reading through data() would raise
  // SIGBUS.
  std::string read(uint64_t begin, uint64_t bytes) const;
  std::string checksum(uint64_t begin, uint64_t bytes) const;

 private:
  void read_into(char* to, uint64_t begin, uint64_t bytes) const;
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string name_, buffer_;
  int fd_ = -1;  // -1 = a buffer
  const char* data_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace levin::core
