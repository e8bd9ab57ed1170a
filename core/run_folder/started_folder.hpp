// The folder of a new run until the run has done something.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>

namespace levin::core {

// Removes the folder of a run that ends before its first batch and that holds nothing but what every run writes when it
// starts: the configuration, its logs, the lock, and what loggers begin with. A folder with any other entry, such as a
// checkpoint or a file of a plugin, stays as it is. The folder's lock has to be held.
class StartedFolder {
 public:
  // removed: called after the folder was removed.
  StartedFolder(std::filesystem::path folder, std::function<void()> removed);
  ~StartedFolder();
  StartedFolder(const StartedFolder&) = delete;
  StartedFolder& operator=(const StartedFolder&) = delete;

  void keep() { keep_ = true; }  // the run has done something
  // Runs the body, in which loggers begin: the entries that it adds count as what a run starts with, even if it throws.
  void with_loggers(const std::function<void()>& begin);

 private:
  bool has_only_own() const;
  std::filesystem::path folder_;
  std::function<void()> removed_;
  std::set<std::string> of_loggers_;
  bool keep_ = false;
};

}  // namespace levin::core
