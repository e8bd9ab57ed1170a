// What a run finds in its folder when it starts, and the end of a new run before its first batch.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>

namespace levin::core {

// Removes the folder of a run that ends before its first batch, if it contains only the entries that every run writes
// when it starts: the configuration, logs, the lock, and the files that loggers begin with. A folder with any other
// entry, such as a checkpoint or a plugin's file, stays unchanged. The caller holds the folder's lock.
class StartedFolder {
 public:
  // removed: called after the folder was removed.
  StartedFolder(std::filesystem::path folder, std::function<void()> removed);
  ~StartedFolder();
  StartedFolder(const StartedFolder&) = delete;
  StartedFolder& operator=(const StartedFolder&) = delete;

  void keep() { keep_ = true; }  // the folder is not removed any more
  // Runs `begin`, in which loggers begin: the entries that it adds count as written at the start, even if it throws.
  void with_loggers(const std::function<void()>& begin);

 private:
  bool has_only_own() const;
  std::filesystem::path folder_;
  std::function<void()> removed_;
  std::set<std::string> of_loggers_;
  bool keep_ = false;
};

// Throws Error{run} for an entry of a run's folder that a log would be written through or would block on: a link to
// anything but a folder, a FIFO, a socket or a device. Accepts a folder that does not exist.
void refuse_leftover_files(const std::filesystem::path& folder);

}  // namespace levin::core
