// A lock that one process holds at a time.
#pragma once
#include <string>

#include "progress.hpp"

namespace download {

// Waits for the lock with this file, which is created with its folder, and removed in the end. what: for the message
// that another process has it, such as an address. Throws levin::Error if the file cannot be locked, and Ended.
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
