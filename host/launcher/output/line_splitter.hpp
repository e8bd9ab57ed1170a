// Cuts what a process writes into lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace levin::core {

class LineSplitter {
 public:
  // The lines that are whole now, without their ends. What grows longer than 64 KiB without an end is cut.
  std::vector<std::string> add(std::string_view bytes);
  // What is left when nothing more comes: at most one line.
  std::vector<std::string> rest();

 private:
  std::string partial_;
};

}  // namespace levin::core
