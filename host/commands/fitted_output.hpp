// Text of the host's answers, fitted to the width of the terminal.
#pragma once
#include <cstddef>
#include <cstdio>
#include <string>

namespace levin::core {

// The text with its lines wrapped at spaces; 0 columns: as it is. What is in columns, such as the meaning beside an
// option, stays in its column.
std::string fitted(const std::string& text, size_t columns);

// What is printed to stdout while it lives is fitted to the terminal, and written when it ends. Files and pipes get it
// as it is.
class FittedOutput {
 public:
  FittedOutput();
  ~FittedOutput();
  FittedOutput(const FittedOutput&) = delete;
  FittedOutput& operator=(const FittedOutput&) = delete;

 private:
  size_t columns_;
  FILE* terminal_ = nullptr;  // the real stdout, where this one is in its place
  char* text_ = nullptr;
  size_t size_ = 0;
};

}  // namespace levin::core
