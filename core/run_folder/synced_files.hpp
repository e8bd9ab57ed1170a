// Makes durable what loggers and callbacks write into a run's folder, before a checkpoint counts on it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace levin::core {

class SyncedFiles {
 public:
  // folder: of a run. Its checkpoints are left out: they are durable when they get their names.
  explicit SyncedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Syncs every regular file that has changed since the last call, and the folders of new ones. Links are not followed.
  // A file that may not be read, and a file system that cannot sync, are passed over. Throws Error{run} where the disk
  // fails. For one thread at a time.
  void sync();

 private:
  struct Version {
    uint64_t inode;
    int64_t size, seconds, nanoseconds;  // of the last change
    bool operator==(const Version& other) const {
      return inode == other.inode && size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds;
    }
  };
  std::filesystem::path folder_;
  std::map<std::string, Version> synced_;
};

}  // namespace levin::core
