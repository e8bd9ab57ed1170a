// Writes the shapes of a figure as SVG. Text and axes take the colour of the text around the picture, so that a page in
// dark colours shows them too.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "levin/util/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin::detail::figure {

using Point = std::pair<double, double>;  // in pixels; y downwards

// Text as content or attribute of XML and HTML. Control characters, which XML does not have, become spaces.
inline std::string escaped_xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += control ? ' ' : c;
  }
  return out;
}

// Keeps, of the points in each column of pixels, the first, the lowest, the highest and the last, so that the line
// looks the same.
inline std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> out;
  for (size_t begin = 0, end; begin < points.size(); begin = end) {
    size_t low = begin, high = begin;
    for (end = begin;
         end < points.size() && static_cast<long>(points[end].first) == static_cast<long>(points[begin].first); ++end) {
      if (points[end].second < points[low].second) low = end;
      if (points[end].second > points[high].second) high = end;
    }
    size_t kept[] = {begin, std::min(low, high), std::max(low, high), end - 1};
    for (size_t i = 0; i < 4; ++i)
      if (i == 0 || kept[i] != kept[i - 1]) out.push_back(points[kept[i]]);
  }
  return out;
}

// "#rrggbb". After the tenth colour the first one comes again.
inline std::string color_text(int color) {
  static const char* const colors[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                       "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
  return colors[static_cast<size_t>(std::max(0, color)) % 10];
}

class Svg {
 public:
  Svg(int width, int height, const std::string& title) {
    const std::string w = std::to_string(width), h = std::to_string(height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + w + "\" height=\"" + h +
           "\" viewBox=\"0 0 " + w + " " + h +
           "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">\n";
    if (!title.empty()) out_ += "<title>" + escaped_xml(title) + "</title>\n";
  }

  void rule(double x1, double y1, double x2, double y2, const char* kind) {
    out_ += "<path d=\"M" + pair(x1, y1) + "L" + pair(x2, y2) + "\" stroke=\"currentColor\" stroke-opacity=\"" +
            (std::string(kind) == "grid" ? "0.15" : "0.7") + "\"/>\n";
  }
  void label(double x, double y, const char* anchor, const std::string& text, const char* kind = "") {
    if (text.empty()) return;
    out_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" +
            (*kind ? " font-weight=\"bold\"" : "") + ">" + escaped_xml(text) + "</text>\n";
  }
  // A single point is a dot.
  void path(const std::vector<Point>& points, int color, bool dashed) {
    if (points.size() == 1) return dot(points[0], 2.5, color);
    if (points.empty()) return;
    out_ += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + color_text(color) + "\"" +
            (dashed ? " stroke-dasharray=\"5 3\"" : "") + " points=\"";
    for (const auto& [x, y] : thinned(points)) out_ += pair(x, y) + " ";
    out_.back() = '"';
    out_ += "/>\n";
  }
  void area(const std::vector<Point>& around, int color) {
    if (around.empty()) return;
    out_ += "<polygon fill=\"" + color_text(color) + "\" fill-opacity=\"0.2\" points=\"";
    for (const auto& [x, y] : around) out_ += pair(x, y) + " ";
    out_.back() = '"';
    out_ += "/>\n";
  }
  void dot(Point at, double radius, int color) {
    out_ += "<circle cx=\"" + number(at.first) + "\" cy=\"" + number(at.second) + "\" r=\"" + number(radius) +
            "\" fill=\"" + color_text(color) + "\"/>\n";
  }
  void bar(double left, double top, double right, double bottom, int color) {
    if (top > bottom) std::swap(top, bottom);
    rectangle(left, top, right - left, bottom - top, "fill=\"" + color_text(color) + "\"");
  }
  // share: from 0, faint, to 1, full colour.
  void cell(double x, double y, double width, double height, double share, const std::string& text) {
    rectangle(x, y, width, height,
              "fill=\"" + color_text(0) + "\" fill-opacity=\"" + fixed(0.05 + 0.95 * share, 2) + "\"");
    if (text.empty()) return;
    out_ += "<text x=\"" + number(x + width / 2) + "\" y=\"" + number(y + height / 2 + 4) +
            "\" text-anchor=\"middle\"" + (share > 0.5 ? " fill=\"white\"" : "") + ">" + escaped_xml(text) +
            "</text>\n";
  }

  std::string text() const { return out_ + "</svg>\n"; }

 private:
  static std::string number(double value) {
    std::string out = fixed(std::clamp(value, -1e6, 1e6), 1);
    if (ends_with(out, ".0")) out.resize(out.size() - 2);
    return out;
  }
  static std::string pair(double x, double y) { return number(x) + "," + number(y); }
  void rectangle(double x, double y, double width, double height, const std::string& paint) {
    out_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" +
            number(height) + "\" " + paint + "/>\n";
  }

  std::string out_;
};

}  // namespace levin::detail::figure
#pragma GCC visibility pop
