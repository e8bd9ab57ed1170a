// A system call of another process that makes, writes, syncs, names or removes a file.
#pragma once
#include <linux/seccomp.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace levin::reliability {

struct FileCall {
  std::string name;  // "write", "open", "sync", "rename", "link", "unlink", "mkdir", "truncate", "allocate", "copy"
  std::string path, other;  // absolute; other: the new name of rename and link
  bool folder = false;      // sync: of a folder
  bool makes = false;       // open: the file was not there; its name will be
  bool empties = false;     // open with O_TRUNC
  int fd = -1;              // of write, in the other process
  uint64_t offset = 0;      // of write; of truncate the new size
  std::string data;         // of write

  bool takes_space() const;  // whether a full disk lets it fail
};

// The numbers of the system calls that file_call() reads.
const std::vector<int>& watched_calls();
// What a stopped thread is about to call; nullopt: nothing with a file that has a name.
std::optional<FileCall> file_call(const seccomp_notif& stopped);

}  // namespace levin::reliability
