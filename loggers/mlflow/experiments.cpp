#include "experiments.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "../common/text_file.hpp"
#include "../common/values.hpp"
#include "levin/util/uninterrupted.hpp"
#include "meta_yaml.hpp"
#include "names.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

// Locks the folder, so that two runs that begin at once make an experiment once.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    uninterrupted([&] { return flock(fd_, LOCK_EX); });
  }
  ~FolderLock() {
    if (fd_ >= 0) close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

void write_experiment(const fs::path& root, const std::string& id, const std::string& name) {
  const std::string now = std::to_string(now_ms());
  fs::create_directories(root / id);
  loggers::replace_text(root / id / "meta.yaml", "artifact_location: " + quoted(file_uri(root / id)) +
                                                     "\ncreation_time: " + now + "\nexperiment_id: " + quoted(id) +
                                                     "\nlast_update_time: " + now +
                                                     "\nlifecycle_stage: active\nname: " + quoted(name) + "\n");
}

}  // namespace

std::string experiment_of(const fs::path& mlruns, const std::string& name) {
  const bool fresh = !fs::exists(mlruns);
  fs::create_directories(mlruns);
  const FolderLock lock(mlruns);
  if (fresh) write_experiment(mlruns, "0", "Default");
  std::error_code failed;
  for (const fs::directory_entry& entry : entries_of(mlruns, failed)) {
    const fs::path meta = entry.path() / "meta.yaml";
    if (fs::is_regular_file(meta, failed) && member(loggers::read_text(meta), "name") == name)
      return entry.path().filename().string();
  }
  std::string id;
  for (const char digit : loggers::random_hex(18)) id += static_cast<char>('1' + digit % 9);
  write_experiment(mlruns, id, name);
  return id;
}

}  // namespace levin::mlflow
