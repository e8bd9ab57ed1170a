// Locks the folder of a run, so that no second process writes there.
#pragma once
#include <filesystem>

namespace levin::core {

// A lock on the file .lock of the folder, which contains the process id. The system releases it when the process ends,
// however it ends. Throws Error{usage} if another process holds it, and Error{run} if the folder is not writable. On a
// file system without locks it has no effect.
class RunLock {
 public:
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int fd_;
};

}  // namespace levin::core
