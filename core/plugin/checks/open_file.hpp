// A plugin's file, opened once and checked (P1), so that the checked file is also the one that is read and loaded.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.hpp"
#include "core/plugin/checks/ownership.hpp"

namespace levin::core {

// The code of a failed check of docs/plugin-files.md (P1 to P12).
ErrorCode code_of_check(int number);

// Throws the problem as an Error, unless it is "". The code is that of the check whose number ends the text, "...
// (P4)", or plugin_not_found without a number, because then no file was checked.
void require_usable(const std::string& problem);

// Throws Error{plugin}. `name` is the plugin as given by the user; `number` is the failed check of docs/plugin-files.md
// (P1 to P12).
[[noreturn]] inline void refuse_plugin(const std::string& name, int number, const std::string& why) {
  throw Error(code_of_check(number), name + ": " + why + " (P" + std::to_string(number) + ")");
}

struct FileIdentity {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;

  bool operator==(const FileIdentity& other) const {
    return device == other.device && inode == other.inode && size == other.size && modified_ns == other.modified_ns;
  }
};

class OpenFile {
 public:
  // Throws Error{plugin} unless the path is a regular file that only the user and root may write or replace: neither it
  // nor a folder above it belongs to another user. So no other user can replace the file between check and load. With
  // trust = true, owners and modes are not checked. Never blocks on a FIFO and never opens a device. Folders that
  // `folders` knows are not checked again.
  OpenFile(const std::filesystem::path& path, bool trust, KnownFolders* folders = nullptr);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }
  const std::filesystem::path& path() const { return path_; }  // absolute, with links resolved
  const FileIdentity& identity() const { return identity_; }
  // Returns true if the path still names the opened file.
  bool still_there() const;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  FileIdentity identity_;
};

}  // namespace levin::core
