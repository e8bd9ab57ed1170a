// levin::Figure: a figure of lines, points, bars or a heat map, as an SVG or a PNG picture.
//
//   levin::Figure figure("loss");
//   figure.x_label("step").y_label("loss").line("train", steps, losses).line("val", val_steps, val_losses);
//   std::ofstream("loss.svg") << figure.svg();
//   std::ofstream("loss.png", std::ios::binary) << figure.png();
//   event.run().media(levin::Media::figure("loss", figure));
//
// Values that are not finite are gaps. A line of any length costs a few points for each pixel.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "levin/util/figure/axis.hpp"
#include "levin/util/figure/raster.hpp"
#include "levin/util/figure/svg.hpp"
#include "levin/util/png.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct FigurePixels {
  std::vector<uint8_t> rgb;  // [height, width, 3]
  int64_t height, width;
};

class Figure {
 public:
  explicit Figure(std::string title) : title_(std::move(title)) {}

  Figure& x_label(std::string text) { return x_label_ = std::move(text), *this; }
  Figure& y_label(std::string text) { return y_label_ = std::move(text), *this; }
  // Values up to 0 are then gaps.
  Figure& log_x(bool on = true) { return log_x_ = on, *this; }
  Figure& log_y(bool on = true) { return log_y_ = on, *this; }
  // In pixels; 640 x 360 by default.
  Figure& size(int width, int height) { return width_ = width, height_ = height, *this; }

  // Adds a line through the points, in their order. Only the first min(xs, ys) values count, here and below. An empty
  // name is not in the legend.
  Figure& line(std::string name, std::vector<double> xs, std::vector<double> ys) {
    return add({Shape::line, std::move(name), std::move(xs), std::move(ys), {}});
  }
  // The same, dashed and in the colour of the line or points before it.
  Figure& dashed_line(std::string name, std::vector<double> xs, std::vector<double> ys) {
    return add({Shape::dashed, std::move(name), std::move(xs), std::move(ys), {}});
  }
  Figure& points(std::string name, std::vector<double> xs, std::vector<double> ys) {
    return add({Shape::points, std::move(name), std::move(xs), std::move(ys), {}});
  }
  // Fills the area between two lines, such as the smallest and largest of several runs.
  Figure& band(std::vector<double> xs, std::vector<double> lower, std::vector<double> upper) {
    return add({Shape::band, "", std::move(xs), std::move(lower), std::move(upper)});
  }
  // One bar for each label, from 0 to its value.
  Figure& bars(std::vector<std::string> labels, std::vector<double> values) {
    labels_ = std::move(labels);
    std::vector<double> places;
    for (size_t i = 0; i < values.size(); ++i) places.push_back(static_cast<double>(i));
    return add({Shape::bars, "", std::move(places), std::move(values), {}});
  }
  // Counts the finite values in `bins` intervals of equal width.
  Figure& histogram(const std::vector<double>& values, size_t bins = 30) {
    detail::figure::Range range;
    for (const double value : values) range.add(value);
    if (range.empty() || bins == 0) return *this;
    const double width = range.to > range.from ? (range.to - range.from) / static_cast<double>(bins) : 1;
    Shape shape{Shape::bins, "", {}, std::vector<double>(bins, 0), {}};
    for (size_t i = 0; i <= bins; ++i) shape.xs.push_back(range.from + width * static_cast<double>(i));
    for (const double value : values)
      if (std::isfinite(value))
        ++shape.ys[std::min(bins - 1, static_cast<size_t>(std::max(0.0, (value - range.from) / width)))];
    return add(std::move(shape));
  }
  // A table of coloured cells, such as a confusion matrix. values: row-major, as many as rows times columns.
  Figure& heat_map(std::vector<std::string> rows, std::vector<std::string> columns, std::vector<double> values) {
    row_names_ = std::move(rows), labels_ = std::move(columns);
    return add({Shape::heat_map, "", {}, std::move(values), {}});
  }
  // Marks a point with a circle and a text.
  Figure& mark(double x, double y, std::string text) { return add({Shape::mark, std::move(text), {x}, {y}, {}}); }

  std::string svg() const {
    detail::figure::Svg out(width_, height_, title_);
    draw(out);
    return out.text();
  }
  // The figure on white. scale: pixels for each unit of size().
  FigurePixels pixels(int scale = 2) const {
    detail::figure::Raster out(width_, height_, scale);
    draw(out);
    return {out.pixels(), out.height(), out.width()};
  }
  std::string png(int scale = 2) const {
    const FigurePixels drawn = pixels(scale);
    return levin::png(drawn.rgb.data(), static_cast<uint32_t>(drawn.height), static_cast<uint32_t>(drawn.width), 3);
  }

 private:
  struct Shape {
    enum Kind { line, dashed, points, band, bars, bins, heat_map, mark } kind;
    std::string name;
    std::vector<double> xs, ys, upper;
    size_t count() const { return std::min(xs.size(), ys.size()); }
    bool follows() const { return kind == dashed || kind == mark || kind == band; }
  };
  struct Area {
    double left, right, top, bottom;
  };

  Figure& add(Shape shape) { return shapes_.push_back(std::move(shape)), *this; }

  // Dashed lines, bands and marks have the colour of the shape before them.
  int color_of(size_t shape) const {
    int color = -1;
    for (size_t i = 0; i <= shape; ++i) color += !shapes_[i].follows() || color < 0;
    return color;
  }

  size_t named() const {
    return static_cast<size_t>(std::count_if(shapes_.begin(), shapes_.end(),
                                             [](const Shape& s) { return !s.name.empty() && s.kind != Shape::mark; }));
  }

  // The legend is below the figure, in lines of its own.
  Area area_of_plot() const {
    const double legend = named() > 0 ? 18.0 * static_cast<double>(legend_lines()) + 4 : 0;
    return {64, width_ - 24.0, title_.empty() ? 14.0 : 32.0, height_ - 26.0 - (x_label_.empty() ? 0 : 18) - legend};
  }

  template <class Canvas>
  void draw(Canvas& out) const {
    if (!shapes_.empty() && shapes_[0].kind == Shape::heat_map) return draw_heat_map(out, shapes_[0]);
    const Area area = area_of_plot();
    const detail::figure::Axis x(range(&Shape::xs, log_x_), log_x_, area.left, area.right);
    const detail::figure::Axis y(range(&Shape::ys, log_y_), log_y_, area.bottom, area.top);
    draw_frame(out, area, x, y);
    for (size_t i = 0; i < shapes_.size(); ++i) draw_shape(out, shapes_[i], color_of(i), x, y);
    draw_legend(out, area);
  }

  detail::figure::Range range(std::vector<double> Shape::*values, bool logarithmic) const {
    detail::figure::Range out;
    const auto take = [&](double value) {
      if (!logarithmic || value > 0) out.add(value);
    };
    for (const Shape& shape : shapes_) {
      for (const double value : shape.*values) take(value);
      const bool vertical = values == &Shape::ys;
      if (vertical)
        for (const double value : shape.upper) take(value);
      if (vertical && (shape.kind == Shape::bars || shape.kind == Shape::bins)) take(0);
      if (!vertical && shape.kind == Shape::bars) take(-0.5), take(static_cast<double>(shape.count()) - 0.5);
    }
    if (values == &Shape::ys && !out.empty() && !logarithmic) {  // room above and below the lines
      const double room = (out.to - out.from) * 0.04;
      if (out.to != 0) out.to += room;
      if (out.from != 0) out.from -= room;
    }
    return out;
  }

  template <class Canvas>
  void draw_frame(Canvas& out, const Area& area, const detail::figure::Axis& x, const detail::figure::Axis& y) const {
    if (!title_.empty()) out.label(width_ / 2.0, 20, "middle", title_, "title");
    for (const auto& tick : y.ticks(6)) {
      const double at = y.place(tick.value);
      out.rule(area.left, at, area.right, at, "grid");
      out.label(area.left - 6, at + 4, "end", tick.text);
    }
    if (labels_.empty()) {
      for (const auto& tick : x.ticks(8)) {
        const double at = x.place(tick.value);
        out.rule(at, area.bottom, at, area.bottom + 4, "axis");
        out.label(at, area.bottom + 17, "middle", tick.text);
      }
    } else {
      for (size_t i = 0; i < labels_.size(); ++i)
        out.label(x.place(static_cast<double>(i)), area.bottom + 17, "middle", labels_[i]);
    }
    out.rule(area.left, area.top, area.left, area.bottom, "axis");
    out.rule(area.left, area.bottom, area.right, area.bottom, "axis");
    if (!x_label_.empty()) out.label((area.left + area.right) / 2, area.bottom + 35, "middle", x_label_);
    if (!y_label_.empty()) out.label(area.left, area.top - 6, "middle", y_label_);
  }

  template <class Canvas>
  void draw_shape(Canvas& out, const Shape& shape, int color, const detail::figure::Axis& x,
                  const detail::figure::Axis& y) const {
    const double zero = y.shows(0) ? y.place(0) : height_;
    const auto place = [&](size_t i) { return std::pair(x.place(shape.xs[i]), y.place(shape.ys[i])); };
    const auto shows = [&](size_t i) { return x.shows(shape.xs[i]) && y.shows(shape.ys[i]); };
    switch (shape.kind) {
      case Shape::line:
      case Shape::dashed: {
        std::vector<std::pair<double, double>> part;
        for (size_t i = 0; i < shape.count(); ++i)
          if (shows(i)) {
            part.push_back(place(i));
          } else {
            out.path(part, color, shape.kind == Shape::dashed);
            part.clear();
          }
        return out.path(part, color, shape.kind == Shape::dashed);
      }
      case Shape::points:
        for (size_t i = 0; i < shape.count(); ++i)
          if (shows(i)) out.dot(place(i), 2.5, color);
        return;
      case Shape::mark:
        if (!shows(0)) return;
        out.dot(place(0), 4.5, 3);  // red
        return out.label(place(0).first, place(0).second - 9, "middle", shape.name);
      case Shape::band: {
        std::vector<std::pair<double, double>> around;
        for (size_t i = 0; i < std::min(shape.count(), shape.upper.size()); ++i)
          if (shows(i)) around.push_back(place(i));
        for (size_t i = std::min(shape.count(), shape.upper.size()); i-- > 0;)
          if (shows(i) && y.shows(shape.upper[i])) around.emplace_back(x.place(shape.xs[i]), y.place(shape.upper[i]));
        return out.area(around, color);
      }
      case Shape::bars:
      case Shape::bins: {
        const bool bins = shape.kind == Shape::bins;
        for (size_t i = 0; i < shape.ys.size(); ++i) {
          if (!y.shows(shape.ys[i])) continue;
          const double left = x.place(bins ? shape.xs[i] : shape.xs[i] - 0.35),
                       right = x.place(bins ? shape.xs[i + 1] : shape.xs[i] + 0.35);
          out.bar(left, y.place(shape.ys[i]), right, zero, color);
        }
        return;
      }
      case Shape::heat_map:
        return;
    }
  }

  // Names of this width fill a line of the legend.
  double width_of(const std::string& name) const { return 40 + 6.6 * static_cast<double>(name.size()); }
  size_t legend_lines() const {
    size_t lines = 1;
    double at = 64;
    for (const Shape& shape : shapes_) {
      if (shape.name.empty() || shape.kind == Shape::mark) continue;
      if (at > 64 && at + width_of(shape.name) > width_) ++lines, at = 64;
      at += width_of(shape.name);
    }
    return lines;
  }

  template <class Canvas>
  void draw_legend(Canvas& out, const Area& area) const {
    double at = 64, line = area.bottom + 26 + (x_label_.empty() ? 0 : 18) + 8;
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Shape& shape = shapes_[i];
      if (shape.name.empty() || shape.kind == Shape::mark) continue;
      if (at > 64 && at + width_of(shape.name) > width_) line += 18, at = 64;
      if (shape.kind == Shape::points)
        out.dot({at + 10, line}, 3, color_of(i));
      else
        out.path({{at, line}, {at + 20, line}}, color_of(i), shape.kind == Shape::dashed);
      out.label(at + 26, line + 4, "start", shape.name);
      at += width_of(shape.name);
    }
  }

  template <class Canvas>
  void draw_heat_map(Canvas& out, const Shape& shape) const {
    const size_t rows = row_names_.size(), columns = labels_.size();
    if (!title_.empty()) out.label(width_ / 2.0, 20, "middle", title_, "title");
    if (rows == 0 || columns == 0) return;
    detail::figure::Range range;
    for (const double value : shape.ys) range.add(value);
    size_t longest = 0;
    for (const std::string& name : row_names_) longest = std::max(longest, name.size());
    const double left = 24 + 6.6 * static_cast<double>(longest), top = 56;
    const double w = (width_ - 12 - left) / static_cast<double>(columns),
                 h = (height_ - top - (x_label_.empty() ? 8 : 28)) / static_cast<double>(rows);
    for (size_t column = 0; column < columns; ++column)
      out.label(left + w * (static_cast<double>(column) + 0.5), top - 6, "middle", labels_[column]);
    for (size_t row = 0; row < rows; ++row) {
      const double y = top + h * static_cast<double>(row);
      out.label(left - 6, y + h / 2 + 4, "end", row_names_[row]);
      for (size_t column = 0; column < columns && row * columns + column < shape.ys.size(); ++column) {
        const double value = shape.ys[row * columns + column];
        if (!std::isfinite(value)) continue;
        const double share = range.to > range.from ? (value - range.from) / (range.to - range.from) : 1;
        char text[32];
        std::snprintf(text, sizeof text, "%.3g", value);
        out.cell(left + w * static_cast<double>(column), y, w, h, share, w > 30 && h > 14 ? text : "");
      }
    }
    if (!x_label_.empty()) out.label((left + width_) / 2, height_ - 8, "middle", x_label_);
    if (!y_label_.empty()) out.label(left - 6, top - 6, "end", y_label_);
  }

  std::string title_, x_label_, y_label_;
  bool log_x_ = false, log_y_ = false;
  int width_ = 640, height_ = 360;
  std::vector<Shape> shapes_;
  std::vector<std::string> labels_, row_names_;
};

}  // namespace levin
#pragma GCC visibility pop
