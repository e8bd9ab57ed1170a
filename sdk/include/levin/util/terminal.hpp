// Properties of the process's outputs: terminal or file, width, redrawn lines and colours. Includes no header of Levin,
// because the core uses it too (scripts/check_layout).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <vector>

#if !defined(_WIN32)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#pragma GCC visibility push(hidden)
namespace levin {

inline bool is_terminal(int fd) {
#if defined(_WIN32)
  return fd < 0;
#else
  return isatty(fd) != 0;
#endif
}

// Returns true if lines of this output can be redrawn: it is a terminal, and TERM is neither "dumb" nor empty.
inline bool redraws_lines(int fd) {
  const char* term = std::getenv("TERM");
  return is_terminal(fd) && term && *term && std::string(term) != "dumb";
}

// Returns true if the output gets colours: if lines are redrawn, unless NO_COLOR is set (https://no-color.org) or
// CLICOLOR is 0. CLICOLOR_FORCE gives a file or a pipe colours too (https://bixense.com/clicolors).
inline bool shows_colours(int fd) {
  const auto value = [](const char* name) {
    const char* set = std::getenv(name);
    return std::string(set ? set : "");
  };
  if (!value("NO_COLOR").empty()) return false;
  if (const std::string force = value("CLICOLOR_FORCE"); !force.empty() && force != "0") return true;
  return redraws_lines(fd) && value("CLICOLOR") != "0";
}

// Returns the columns of the terminal at the standard output: 0 for a file or a pipe, 80 if unknown.
inline size_t terminal_columns() {
  if (!is_terminal(1)) return 0;
#if !defined(_WIN32)
  winsize size{};
  if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  return 80;
}

// Returns a path below the current folder as a relative path, "levin_logs/version_0"; other paths are unchanged.
inline std::string path_from_here(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::path near = path.lexically_proximate(std::filesystem::current_path(unknown));
  return unknown || near.empty() || *near.begin() == ".." ? path.string() : near.string();
}

// Returns the number of columns of UTF-8 text, counted as code points.
inline size_t text_columns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Returns the first `width` columns of the text.
inline std::string first_columns(const std::string& text, size_t width) {
  size_t at = 0;
  while (at < text.size() && ((text[at] & 0xC0) == 0x80 || width-- > 0)) ++at;
  return text.substr(0, at);
}

// Joins the pieces with spaces into lines of at most `width` columns; 0 = one line. All lines except the first begin
// with `indent` spaces. A longer piece is not split.
inline std::string wrapped(const std::vector<std::string>& pieces, size_t width, size_t indent) {
  std::string out;
  size_t used = 0;
  for (const std::string& piece : pieces) {
    const size_t columns = text_columns(piece);
    if (!out.empty() && width > 0 && used + 1 + columns > width) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!out.empty()) {
      out += " ";
      ++used;
    }
    out += piece;
    used += columns;
  }
  return out;
}

// Returns the indices of the table columns that fit into `width` (0 = all), with the given widths and `gap` between
// them. Columns in `spare` may be left out, in that order.
inline std::vector<size_t> columns_that_fit(const std::vector<size_t>& widths, size_t gap, size_t width,
                                            const std::vector<size_t>& spare) {
  std::vector<size_t> kept(widths.size());
  std::iota(kept.begin(), kept.end(), size_t{0});
  const auto add = [&](size_t sum, size_t column) { return sum + widths[column] + gap; };
  for (const size_t column : spare)
    if (width > 0 && std::accumulate(kept.begin(), kept.end(), size_t{0}, add) > width + gap)
      kept.erase(std::remove(kept.begin(), kept.end(), column), kept.end());
  return kept;
}

}  // namespace levin
#pragma GCC visibility pop
