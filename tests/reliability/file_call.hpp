// A system call of another process that creates, writes, syncs, renames, links or removes a file.
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
  std::string path, other;  // absolute; other: the new name for rename and link
  bool folder = false;      // sync: the descriptor is a folder
  bool makes = false;       // open: creates the file
  bool empties = false;     // open: with O_TRUNC
  int fd = -1;              // write: descriptor in the other process
  uint64_t offset = 0;      // write: offset; truncate: new size
  std::string data;         // write: the bytes

  bool takes_space() const;  // true if the call fails on a full disk
};

// The numbers of the system calls that file_call() reads.
const std::vector<int>& watched_calls();
// Returns the call that a stopped thread is about to make; nullopt if it does not concern a file with a name.
std::optional<FileCall> file_call(const seccomp_notif& stopped);

}  // namespace levin::reliability
