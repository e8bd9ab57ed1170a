// A file that another program writes, read piece by piece as it grows.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace levin::core {

class FollowedFile {
 public:
  explicit FollowedFile(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }

  // Returns true if what was read is no longer the beginning of the file: it was replaced, cut or removed.
  bool is_another() const;

  // Calls use(bytes, offset) with what is new, a piece at a time, until about `budget` bytes were read, and subtracts
  // them. use returns how many of the bytes it has used; the others come again when there are more. A FIFO or a device
  // is not read: that would block. Returns true if nothing is left to read.
  bool read_on(const std::function<size_t(const std::string& bytes, uint64_t offset)>& use, size_t& budget);

 private:
  std::filesystem::path path_;
  uint64_t inode_ = 0, offset_ = 0;
  uint64_t given_up_ = 0;  // the size at which a line or record was too long
  std::string last_;       // the last bytes before the offset, by which another file is recognized
};

// Returns these bytes of a regular file, or fewer at its end.
std::string bytes_of_file(const std::filesystem::path& path, uint64_t offset, size_t most);

}  // namespace levin::core
