// A plugin's file, opened once and checked (P1): what is checked, read and loaded is then the same file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace levin::core {

struct FileIdentity {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;

  bool operator==(const FileIdentity& o) const {
    return device == o.device && inode == o.inode && size == o.size && modified_ns == o.modified_ns;
  }
};

class OpenFile {
 public:
  // Regular, not writable by others, owned by the user or root; trust: whoever owns or may write it. Never waits for a
  // FIFO and never opens a device. Throws Error{plugin}.
  OpenFile(const std::filesystem::path& path, bool trust);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& path() const { return path_; }  // absolute, links resolved
  const FileIdentity& identity() const { return identity_; }
  // Whether the path still names the file that was opened.
  bool still_there() const;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  FileIdentity identity_;
};

}  // namespace levin::core
