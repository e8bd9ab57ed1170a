// What the outputs of the process are for a reader: a terminal or a file, its width, and whether lines are redrawn and
// coloured. Includes nothing of ours: the core reads this header too (scripts/check_layout).
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

// Returns true if a line there can be erased and written again: it is a terminal, and TERM is neither "dumb" nor empty.
inline bool redraws_lines(int fd) {
  const char* term = std::getenv("TERM");
  return is_terminal(fd) && term && *term && std::string(term) != "dumb";
}

// Returns true where lines are redrawn, unless NO_COLOR is set (https://no-color.org).
inline bool shows_colours(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  return redraws_lines(fd) && !(no_colour && *no_colour);
}

// The columns of the terminal at the standard output: 0 if it is a file or a pipe, 80 if the terminal does not say.
inline size_t terminal_columns() {
  if (!is_terminal(1)) return 0;
#if !defined(_WIN32)
  winsize size{};
  if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  return 80;
}

// The path as it is typed in the present folder, if it is below that: "levin_logs/version_0".
inline std::string path_from_here(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::filesystem::path near = path.lexically_proximate(std::filesystem::current_path(unknown));
  return unknown || near.empty() || *near.begin() == ".." ? path.string() : near.string();
}

// The number of columns of UTF-8 text, taken as its number of code points.
inline size_t text_columns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The first `width` columns of the text.
inline std::string first_columns(const std::string& text, size_t width) {
  size_t at = 0;
  while (at < text.size() && ((text[at] & 0xC0) == 0x80 || width-- > 0)) ++at;
  return text.substr(0, at);
}

// The pieces with spaces between them, in lines of at most `width` columns; 0: in one line. All lines but the first
// begin with `indent` spaces. A longer piece stays whole.
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

// The columns of a table, of these widths and with `gap` columns between them, that fit into `width` columns; 0: all.
// May be left out: those of `spare`, the first one first.
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
