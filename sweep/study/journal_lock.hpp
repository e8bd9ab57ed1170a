// The lock of Optuna's JournalFileSymlinkLock: a symbolic link FILE.lock.
#pragma once
#include <chrono>
#include <filesystem>

namespace levin::core::sweep {

class JournalLock {
 public:
  // Waits for the lock. A link that has been there for so long was left by a killed process, and is taken over: a
  // writer holds it for milliseconds. Throws Error{run} if the link cannot be made.
  explicit JournalLock(const std::filesystem::path& file,
                       std::chrono::milliseconds abandoned_after = std::chrono::seconds(10));
  ~JournalLock();
  JournalLock(const JournalLock&) = delete;
  JournalLock& operator=(const JournalLock&) = delete;

 private:
  const std::filesystem::path link_;
};

}  // namespace levin::core::sweep
