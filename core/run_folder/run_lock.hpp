// Says that a run is in its folder now, so that no second one writes there.
#pragma once
#include <filesystem>

namespace levin::core {

// A lock on the file .lock of the folder, which holds the process's id. The system frees it when the process ends,
// however it ends. Throws Error{usage} where another process holds it, Error{run} where the folder cannot be written.
// File systems without locks have none.
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
