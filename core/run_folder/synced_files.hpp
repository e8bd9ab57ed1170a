// Makes durable what loggers and callbacks write into a run's folder, before a checkpoint counts on it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace levin::core {

class SyncedFiles {
 public:
  using Warn = std::function<void(const std::string&)>;
  // folder: of a run. Its checkpoints are left out: they are durable when they get their names.
  explicit SyncedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Syncs every regular file that has changed since the last call, and the folders of new ones. Links are not followed.
  // A file that is gone or may not be read, and a file system that cannot sync, are passed over. Where the disk fails,
  // `warn` gets a line, once for each file: a checkpoint is worth more than the rows beside it. For one thread at a
  // time.
  void sync(const Warn& warn);

 private:
  struct Version {
    uint64_t inode;
    int64_t size, seconds, nanoseconds;  // of the last change
    bool operator==(const Version& other) const {
      return inode == other.inode && size == other.size && seconds == other.seconds && nanoseconds == other.nanoseconds;
    }
  };
  void sync_below(const std::filesystem::path& folder, const Warn& warn);
  bool sync_one(const std::filesystem::path& path, int flags, const Warn& warn);  // false: it may not be on the disk
  bool passes(const std::filesystem::path& path, int error, const Warn& warn);    // false: the disk failed
  std::filesystem::path folder_;
  std::map<std::string, Version> synced_;
  std::set<std::string> warned_;
};

}  // namespace levin::core
