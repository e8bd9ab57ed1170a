// Draws the shapes of a figure as pixels: dark on white, with smooth edges. Text is in a font of dots.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "levin/util/figure/font.hpp"
#include "levin/util/figure/svg.hpp"

#pragma GCC visibility push(hidden)
namespace levin::detail::figure {

class Raster {
 public:
  // scale: pixels for each unit of the figure.
  Raster(int width, int height, int scale)
      : scale_(std::max(1, scale)),
        width_(std::max(1, width) * scale_),
        height_(std::max(1, height) * scale_),
        pixels_(static_cast<size_t>(width_) * static_cast<size_t>(height_) * 3, 255) {}

  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<uint8_t>& pixels() const { return pixels_; }  // RGB, row by row

  void rule(double x1, double y1, double x2, double y2, const char* kind) {
    segment({x1, y1}, {x2, y2}, 1, {dark, std::string(kind) == "grid" ? 0.15 : 0.7});
  }
  void label(double x, double y, const char* anchor, const std::string& text, const char* kind = "") {
    write(x, y, anchor, text, dark, *kind != '\0');
  }
  void path(const std::vector<Point>& points, int color, bool dashed) {
    if (points.size() == 1) return dot(points[0], 2.5, color);
    const std::vector<Point> few = thinned(points);
    const Paint paint{rgb_of(color), 1};
    double along = 0;
    for (size_t i = 1; i < few.size(); ++i)
      dashed ? dashes(few[i - 1], few[i], along, paint) : segment(few[i - 1], few[i], 1.5, paint);
  }
  void area(const std::vector<Point>& around, int color) {
    const Paint paint{rgb_of(color), 0.2};
    for (int row = 0; row < height_; ++row) {
      const double y = (row + 0.5) / scale_;
      std::vector<double> crossings;
      for (size_t i = 0; i < around.size(); ++i) {
        const auto& [x1, y1] = around[i];
        const auto& [x2, y2] = around[(i + 1) % around.size()];
        if ((y1 <= y) != (y2 <= y)) crossings.push_back(x1 + (y - y1) / (y2 - y1) * (x2 - x1));
      }
      std::sort(crossings.begin(), crossings.end());
      for (size_t i = 0; i + 1 < crossings.size(); i += 2)
        for (int column = pixel(crossings[i], width_); column < pixel(crossings[i + 1], width_); ++column)
          blend(column, row, paint, 1);
    }
  }
  void dot(Point at, double radius, int color) { segment(at, at, 2 * radius, {rgb_of(color), 1}); }
  void bar(double left, double top, double right, double bottom, int color) {
    fill(left, std::min(top, bottom), right, std::max(top, bottom), {rgb_of(color), 1});
  }
  void cell(double x, double y, double width, double height, double share, const std::string& text) {
    fill(x, y, x + width, y + height, {rgb_of(0), 0.05 + 0.95 * share});
    write(x + width / 2, y + height / 2 + 4, "middle", text, share > 0.5 ? Rgb{255, 255, 255} : dark, false);
  }

 private:
  struct Rgb {
    uint8_t red, green, blue;
  };
  struct Paint {
    Rgb color;
    double opacity;
  };
  static constexpr Rgb dark{32, 32, 32};

  static Rgb rgb_of(int color) {
    const auto value = std::strtoul(color_text(color).c_str() + 1, nullptr, 16);
    return {static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
  }

  // The first pixel whose centre is not before this place.
  int pixel(double place, int end) const {
    return static_cast<int>(std::clamp(std::ceil(place * scale_ - 0.5), 0.0, static_cast<double>(end)));
  }

  void blend(int column, int row, const Paint& paint, double coverage) {
    const double share = paint.opacity * std::clamp(coverage, 0.0, 1.0);
    if (column < 0 || row < 0 || column >= width_ || row >= height_ || !(share > 0)) return;
    uint8_t* at = &pixels_[(static_cast<size_t>(row) * static_cast<size_t>(width_) + static_cast<size_t>(column)) * 3];
    const uint8_t over[] = {paint.color.red, paint.color.green, paint.color.blue};
    for (int i = 0; i < 3; ++i) at[i] = static_cast<uint8_t>(std::lround(at[i] + share * (over[i] - at[i])));
  }

  // Every pixel nearer to the segment than half its width.
  void segment(Point from, Point to, double width, const Paint& paint) {
    for (double* place : {&from.first, &from.second, &to.first, &to.second})
      *place = std::clamp(std::isfinite(*place) ? *place * scale_ : 0, -1e5, 1e5);
    const double half = width * scale_ / 2, dx = to.first - from.first, dy = to.second - from.second;
    const double square = dx * dx + dy * dy;
    const auto least = [&](double a, double b) { return static_cast<int>(std::floor(std::min(a, b) - half - 1)); };
    const auto most = [&](double a, double b) { return static_cast<int>(std::ceil(std::max(a, b) + half + 1)); };
    const int bottom = std::min(height_, most(from.second, to.second)),
              right = std::min(width_, most(from.first, to.first));
    for (int row = std::max(0, least(from.second, to.second)); row < bottom; ++row)
      for (int column = std::max(0, least(from.first, to.first)); column < right; ++column) {
        const double x = column + 0.5 - from.first, y = row + 0.5 - from.second;
        const double along = square > 0 ? std::clamp((x * dx + y * dy) / square, 0.0, 1.0) : 0;
        blend(column, row, paint, half + 0.5 - std::hypot(x - along * dx, y - along * dy));
      }
  }

  // along: the length of the path before this segment; 5 units of line, then 3 of none.
  void dashes(Point from, Point to, double& along, const Paint& paint) {
    const double length = std::hypot(to.first - from.first, to.second - from.second);
    const auto place = [&](double at) {
      return Point(from.first + (to.first - from.first) * at / length,
                   from.second + (to.second - from.second) * at / length);
    };
    for (double at = 0; at < length;) {
      const double phase = std::fmod(along + at, 8);
      const double end = std::min(length, at + std::max(1e-3, (phase < 5 ? 5 : 8) - phase));
      if (phase < 5) segment(place(at), place(end), 1.5, paint);
      at = end;
    }
    along = std::fmod(along + length, 8);
  }

  void fill(double left, double top, double right, double bottom, const Paint& paint) {
    const auto covered = [this](double from, double to, int at) {
      return std::min(to * scale_, at + 1.0) - std::max(from * scale_, static_cast<double>(at));
    };
    const auto first = [this](double place) { return static_cast<int>(std::clamp(place * scale_, 0.0, 1e5)); };
    for (int row = first(top); row < std::min<double>(height_, bottom * scale_); ++row)
      for (int column = first(left); column < std::min<double>(width_, right * scale_); ++column)
        blend(column, row, paint, covered(left, right, column) * covered(top, bottom, row));
  }

  // Characters outside of ASCII become "?".
  static std::string ascii(const std::string& text) {
    std::string out;
    for (const char c : text)
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) out += c >= ' ' && c <= '~' ? c : '?';
    return out;
  }

  void write(double x, double y, const char* anchor, const std::string& given, Rgb color, bool bold) {
    const std::string text = ascii(given), where = anchor;
    const double width = 6.0 * static_cast<double>(text.size()) - 1;
    double left = std::round((x - (where == "end" ? width : where == "middle" ? width / 2 : 0)) * scale_);
    const double top = std::round((y - 7) * scale_);
    for (const char c : text) {
      for (int column = 0; column < 5; ++column)
        for (int row = 0; row < 8; ++row)
          if (font[c - ' '][column] >> row & 1) square(left + column * scale_, top + row * scale_, color, bold);
      left += 6 * scale_;
    }
  }
  void square(double left, double top, Rgb color, bool bold) {
    if (std::fabs(left) > 1e6 || std::fabs(top) > 1e6) return;
    for (int y = 0; y < scale_; ++y)
      for (int x = 0; x < scale_ + (bold ? std::max(1, scale_ / 2) : 0); ++x)
        blend(static_cast<int>(left) + x, static_cast<int>(top) + y, {color, 1}, 1);
  }

  int scale_, width_, height_;
  std::vector<uint8_t> pixels_;
};

}  // namespace levin::detail::figure
#pragma GCC visibility pop
