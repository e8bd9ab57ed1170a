// Fits the host's output to the width of the terminal.
#pragma once
#include <cstddef>
#include <cstdio>
#include <string>

namespace levin::core {

// Returns the text with its lines wrapped at spaces; columns = 0: unchanged. Text in a column, such as the description
// beside an option, stays in its column.
std::string fitted(const std::string& text, size_t columns);

// While it lives, collects what is printed to stdout; its destructor writes the text, fitted to the terminal. Output to
// files and pipes is not changed. show: shows the fitted text in place of writing it to stdout, and returns false if it
// has not.
class FittedOutput {
 public:
  explicit FittedOutput(bool (*show)(const std::string& text) = nullptr);
  ~FittedOutput();
  FittedOutput(const FittedOutput&) = delete;
  FittedOutput& operator=(const FittedOutput&) = delete;

 private:
  size_t columns_;
  bool (*show_)(const std::string& text);
  FILE* terminal_ = nullptr;  // the real stdout while it is replaced
  char* text_ = nullptr;
  size_t size_ = 0;
};

}  // namespace levin::core
