// How busy a process and its machine are, as text.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace levin::core::watch {

class ProcessLoad {
 public:
  // Returns the pieces of a line. device: memory of the run's device in bytes, "USED/TOTAL"; "" = unknown.
  std::vector<std::string> pieces(pid_t pid, const std::string& device);

 private:
  double cpu_before_ = -1, time_before_ = 0;  // seconds
};

}  // namespace levin::core::watch
