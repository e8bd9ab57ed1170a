// Locks a run's folder, so that no second process writes there.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace levin::core {

// How long to wait for the end of another run in the folder. Calls `waits` repeatedly meanwhile, with the other run's
// process, " (process 12)" or ""; it may throw.
struct LockPatience {
  std::chrono::milliseconds time{0};
  std::function<void(const std::string& holder)> waits = [](const std::string&) {};
};

// A lock on the file .lock of the folder, which contains the process id. The system releases it however the process
// ends. Throws Error{usage} if another process holds it, and Error{run} if the folder is not writable. Has no effect on
// a file system without locks.
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
