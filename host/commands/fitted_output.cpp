#include "host/commands/fitted_output.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

// Returns the start of the text beside a name or an option: after the first two spaces that follow a word, or else the
// start of the line.
size_t text_begin(const std::string& line) {
  const size_t first = std::min(line.find_first_not_of(' '), line.size()), gap = line.find("  ", first);
  return gap == std::string::npos ? first : std::min(line.find_first_not_of(' ', gap), line.size());
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& word : split(text, ' '))
    if (!word.empty()) out.push_back(word);
  return out;
}

std::string trim_end(const std::string& text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

std::string fitted_line(const std::string& line, size_t columns) {
  if (text_columns(line) <= columns) return line;
  const size_t first = std::min(line.find_first_not_of(' '), line.size()), begin = text_begin(line);
  const std::string head = line.substr(0, begin);
  std::vector<std::string> arguments = words_of(line.substr(begin));
  if (arguments.empty()) return line;
  if (text_columns(head) * 2 <= columns) {
    arguments.front().insert(0, head);
    return wrapped(arguments, columns, text_columns(head));
  }
  const size_t below = std::min<size_t>(begin == first ? 6 : first + 4, columns / 2);
  arguments.front().insert(0, std::string(below, ' '));
  if (begin == first) return wrapped(arguments, columns, below);  // may continue a text that is placed below its name
  // The text is placed below the name, because it does not fit beside it.
  return fitted_line(trim_end(head), columns) + "\n" + wrapped(arguments, columns, below);
}

}  // namespace

std::string fitted(const std::string& text, size_t columns) {
  if (columns == 0) return text;
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) line = fitted_line(line, columns);
  return join(lines, "\n");
}

FittedOutput::FittedOutput(bool (*show)(const std::string& text)) : columns_(terminal_columns()), show_(show) {
  if (columns_ == 0 && with_program_name("host --help") == "host --help") return;  // the text is printed as it is
  FILE* memory = ::open_memstream(&text_, &size_);
  if (memory) terminal_ = std::exchange(stdout, memory);
}

FittedOutput::~FittedOutput() {
  if (!terminal_) return;
  std::fclose(std::exchange(stdout, terminal_));
  const std::string text = fitted(with_program_name(std::string(text_, size_)), columns_);
  if (show_ == nullptr || !show_(text)) std::fputs(text.c_str(), stdout);
  std::free(text_);
}

}  // namespace levin::core
