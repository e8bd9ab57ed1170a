// Makes the files of loggers and callbacks in a run's folder durable, before a checkpoint relies on them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {

class SyncedFiles {
 public:
  // folder: of a run. Skips its checkpoints, which are durable when they get their names.
  explicit SyncedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Syncs every regular file that has changed since the last call, and the folders of new files. Does not follow links.
  // Skips files that no longer exist or cannot be read, and file systems that cannot sync. If the disk fails, calls
  // `warn` once per file instead of throwing: the checkpoint is worth more than the rows beside it. Not thread-safe.
  void sync(const Warn& warn);

 private:
  struct Version {
    uint64_t inode;
    int64_t size, seconds, nanoseconds;  // at the last change
    bool operator==(const Version& other) const {
      return inode == other.inode && size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds;
    }
  };
  void sync_below(const std::filesystem::path& folder, const Warn& warn);
  bool sync_one(const std::filesystem::path& path, int flags,
                const Warn& warn);  // returns false if it may not be on the disk
  bool passes(const std::filesystem::path& path, int error, const Warn& warn);  // returns false if the disk failed
  std::filesystem::path folder_;
  std::map<std::string, Version> synced_;
  std::set<std::string> warned_;
};

}  // namespace levin::core
