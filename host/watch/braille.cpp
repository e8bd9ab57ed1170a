#include "host/watch/braille.hpp"

#include <algorithm>
#include <cmath>

#include "sdk/include/levin/util/terminal.hpp"
#include "sdk/include/levin/util/text.hpp"

namespace levin::core::watch {
namespace {

constexpr size_t label_columns = 9;

struct Range {
  double from = INFINITY, to = -INFINITY;
  bool empty() const { return from > to; }
  void add(double value) { from = std::min(from, value), to = std::max(to, value); }
  double share(double value) const { return to > from ? (value - from) / (to - from) : 0.5; }
};

// The points of a chart, two in a column and four in a row of characters.
class Points {
 public:
  Points(size_t columns, size_t rows) : columns_(columns), rows_(rows), cells_(columns * rows) {}

  long width() const { return static_cast<long>(columns_) * 2; }
  long height() const { return static_cast<long>(rows_) * 4; }

  void set(long x, long y, size_t line) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    static constexpr unsigned char dots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& cell = cells_[static_cast<size_t>(y / 4) * columns_ + static_cast<size_t>(x / 2)];
    cell.dots |= dots[y % 4][x % 2];
    cell.line = line;
  }
  void connect(long x0, long y0, long x1, long y1, size_t line) {
    const long steps = std::max({std::labs(x1 - x0), std::labs(y1 - y0), 1L});
    for (long i = 0; i <= steps; ++i) set(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, line);
  }
  std::string row(size_t row, bool colours) const {
    std::string out;
    for (size_t i = 0; i < columns_; ++i) {
      const Cell& cell = cells_[row * columns_ + i];
      if (cell.dots == 0) {
        out += ' ';
        continue;
      }
      const std::string text = {'\xe2', static_cast<char>(0xa0 | cell.dots >> 6),
                                static_cast<char>(0x80 | (cell.dots & 0x3f))};
      out += colours ? line_colour(cell.line) + text + no_colour : text;
    }
    return out;
  }

 private:
  struct Cell {
    unsigned char dots = 0;
    size_t line = 0;
  };
  size_t columns_, rows_;
  std::vector<Cell> cells_;
};

std::string label(const std::string& text) {
  const size_t n = std::min(text.size(), label_columns - 1);
  return std::string(label_columns - 1 - n, ' ') + text.substr(0, n) + " ";
}

}  // namespace

std::string line_colour(size_t line) { return "\x1b[3" + std::to_string(1 + (line + 3) % 6) + "m"; }

std::vector<std::string> chart(const std::vector<Line>& lines, size_t width, size_t height, bool colours) {
  Range x, y;
  for (const Line& line : lines)
    for (size_t i = 0; i < std::min(line.xs.size(), line.ys.size()); ++i)
      if (std::isfinite(line.xs[i]) && std::isfinite(line.ys[i])) x.add(line.xs[i]), y.add(line.ys[i]);
  if (x.empty() || height == 0 || width <= label_columns) return std::vector<std::string>(height);
  Points points(width - label_columns, height);
  for (size_t n = 0; n < lines.size(); ++n) {
    bool before = false;
    long x0 = 0, y0 = 0;
    for (size_t i = 0; i < std::min(lines[n].xs.size(), lines[n].ys.size()); ++i) {
      if (!std::isfinite(lines[n].xs[i]) || !std::isfinite(lines[n].ys[i])) {
        before = false;
        continue;
      }
      const long x1 = std::lround(x.share(lines[n].xs[i]) * static_cast<double>(points.width() - 1));
      const long y1 = std::lround((1 - y.share(lines[n].ys[i])) * static_cast<double>(points.height() - 1));
      points.connect(before ? x0 : x1, before ? y0 : y1, x1, y1, n);
      x0 = x1, y0 = y1, before = true;
    }
  }
  std::vector<std::string> out;
  for (size_t row = 0; row < height; ++row) {
    const std::string text = row == 0 ? metric_text(y.to) : row + 1 == height ? metric_text(y.from) : "";
    out.push_back(label(text) + points.row(row, colours));
  }
  return out;
}

}  // namespace levin::core::watch
