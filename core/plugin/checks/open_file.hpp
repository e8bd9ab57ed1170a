// A plugin's file, opened once and checked (P1), so that the file that is checked is also the one that is read and
// loaded.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace levin::core {

struct FileIdentity {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;

  bool operator==(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && size == other.size && modified_ns == other.modified_ns;
  }
};

class OpenFile {
 public:
  // Accepts a regular file that only the user and root may write or replace: neither it nor a folder above it belongs
  // to somebody else. So nobody else can change between the checks and the loading what the path names. With `trust`,
  // owners and modes do not matter. Never waits for a FIFO and never opens a device. Throws Error{plugin}.
  OpenFile(const std::filesystem::path& path, bool trust);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& path() const { return path_; }  // absolute, with links resolved
  const FileIdentity& identity() const { return identity_; }
  // Whether the path still names the file that was opened.
  bool still_there() const;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  FileIdentity identity_;
};

}  // namespace levin::core
