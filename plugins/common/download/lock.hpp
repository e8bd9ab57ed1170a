// A lock that one process holds at a time.
#pragma once
#include <string>

#include "progress.hpp"

namespace download {

// Waits for the lock PATH.lock, which is created with its folder, and removed in the end. what: what another process
// downloads meanwhile to PATH.part, for messages. Throws levin::Error if the file cannot be locked, and Ended.
class Lock {
 public:
  Lock(const std::string& path, const std::string& what, const Progress& progress);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  bool take();

  const std::string path_;
  int fd_ = -1;
};

}  // namespace download
