// Locks the folder of a run, so that no second process writes there.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace levin::core {

// How long the end of the run that is in a folder is waited for. `waits` is called again and again meanwhile, with what
// is known of its process, " (process 12)" or "", and may throw.
struct LockPatience {
  std::chrono::milliseconds time{0};
  std::function<void(const std::string& holder)> waits = [](const std::string&) {};
};

// A lock on the file .lock of the folder, which contains the process id. The system releases it when the process ends,
// however it ends. Throws Error{usage} if another process holds it, and Error{run} if the folder is not writable. On a
// file system without locks it has no effect.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& folder, const LockPatience& patience = {});
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  void lock(const std::filesystem::path& folder, const LockPatience& patience);

  int fd_;
  bool holds_ = false;
};

}  // namespace levin::core
