#include "host_process/screen.hpp"

#include <algorithm>
#include <cctype>

namespace {

// Places characters as a terminal does. It supports what the host writes: line ends, carriage returns and erased lines.
class Screen {
 public:
  explicit Screen(size_t columns) : columns_(columns) {}

  void write(const std::string& bytes) {
    for (size_t at = 0; at < bytes.size();) {
      size_t end = at + 1;
      if (bytes[at] == '\x1b') {
        end = std::find_if(bytes.begin() + static_cast<long>(at) + 2, bytes.end(), [](char c) { return isalpha(c); }) -
              bytes.begin() + 1;
        control(bytes.substr(at + 2, end - at - 2));
      } else if (bytes[at] == '\r') {
        column_ = 0;
      } else if (bytes[at] == '\n') {
        lines_.emplace_back();
      } else {
        while (end < bytes.size() && (bytes[end] & 0xC0) == 0x80) ++end;
        put(bytes.substr(at, end - at));
      }
      at = end;
    }
  }

  void fill(Seen& seen) const {
    for (const Line& line : lines_) {
      seen.lines.push_back(text(line));
      seen.widest = std::max(seen.widest, line.size());
    }
    while (!seen.lines.empty() && seen.lines.back().empty()) seen.lines.pop_back();
    seen.drawn = erased_;
    seen.wrapped = wrapped_;
  }

 private:
  using Line = std::vector<std::string>;  // the character of each column

  static std::string text(const Line& line) {
    std::string out;
    for (const std::string& cell : line) out += cell;
    return out.substr(0, out.find_last_not_of(' ') + 1);
  }
  void control(const std::string& what) {
    if (what != "K" && what != "2K") return;
    if (!lines_.back().empty()) erased_.push_back(text(lines_.back()));
    lines_.back().resize(what == "K" ? std::min(column_, lines_.back().size()) : 0);
  }
  void put(const std::string& character) {
    if (column_ == columns_) {
      lines_.emplace_back();
      column_ = 0;
      wrapped_ = true;
    }
    Line& line = lines_.back();
    if (line.size() <= column_) line.resize(column_ + 1, " ");
    line[column_++] = character;
  }

  size_t columns_, column_ = 0;
  std::vector<Line> lines_ = std::vector<Line>(1);
  std::vector<std::string> erased_;
  bool wrapped_ = false;
};

}  // namespace

std::string Seen::text() const {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

Seen on_terminal(Program program, unsigned short columns, const std::vector<Typed>& typed) {
  program.output = Program::Output::terminal;
  program.columns = columns;
  program.seconds = 10;  // after its last output
  HostProcess process(std::move(program));
  Seen seen;
  seen.bytes = process.read_all(typed);
  Screen screen(columns);
  screen.write(seen.bytes);
  screen.fill(seen);
  seen.code = process.code();
  seen.code.account += "\nscreen:\n" + seen.text();
  return seen;
}
