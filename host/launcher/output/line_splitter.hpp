// Splits the output of a process into lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

class LineSplitter {
 public:
  // Returns the complete lines without line ends. A line longer than 64 KiB is cut.
  std::vector<std::string> add(std::string_view bytes);
  // Returns the incomplete line at the end of the output, if there is one.
  std::vector<std::string> rest();

 private:
  std::string partial_;
};

}  // namespace levin::core
