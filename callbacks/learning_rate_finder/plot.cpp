#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace levin::learning_rate_finder {
namespace {

constexpr double left = 70, right = 620, top = 20, bottom = 350;

std::string format(const char* pattern, double a, double b = 0) {
  char text[160];
  std::snprintf(text, sizeof text, pattern, a, b);
  return text;
}

struct Axis {
  double from = 0, to = 1, start, end;
  double place(double value) const { return start + (end - start) * (to > from ? (value - from) / (to - from) : 0.5); }
};

Axis axis(const std::vector<double>& values, double start, double end) {
  Axis out{0, 1, start, end};
  if (values.empty()) return out;
  out.from = *std::min_element(values.begin(), values.end());
  out.to = *std::max_element(values.begin(), values.end());
  return out;
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return format("<text x=\"%.1f\" y=\"%.1f\" ", x, y) + "text-anchor=\"" + anchor + "\">" + text + "</text>\n";
}

}  // namespace

std::string svg(const Plot& plot) {
  const auto scaled = [&](double lr) { return plot.logarithmic ? std::log10(lr) : lr; };
  std::vector<double> xs, ys;
  for (size_t i = 0; i < plot.losses.size(); ++i) {
    if (!std::isfinite(plot.losses[i])) continue;
    xs.push_back(scaled(plot.lrs[i]));
    ys.push_back(plot.losses[i]);
  }
  const Axis x = axis(xs, left, right), y = axis(ys, bottom, top);
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"400\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"640\" height=\"400\" fill=\"white\"/>\n"
      "<path d=\"M70 20 V350 H620\" fill=\"none\" stroke=\"black\"/>\n<polyline fill=\"none\" stroke=\"#1f77b4\" "
      "stroke-width=\"1.5\" points=\"";
  for (size_t i = 0; i < xs.size(); ++i) out += format("%.1f,%.1f ", x.place(xs[i]), y.place(ys[i]));
  out += "\"/>\n";
  const auto number = [](double v) { return format("%.3g", v); };
  const auto rate = [&](double v) { return number(plot.logarithmic ? std::pow(10, v) : v); };
  out += label(left, bottom + 18, "middle", rate(x.from)) + label(right, bottom + 18, "end", rate(x.to));
  out += label(left - 6, bottom, "end", number(y.from)) + label(left - 6, top + 8, "end", number(y.to));
  out += label((left + right) / 2, bottom + 36, "middle", "learning rate") + label(left + 8, top + 8, "start", "loss");
  if (plot.suggestion) {
    const double lr = plot.lrs[*plot.suggestion], loss = plot.losses[*plot.suggestion];
    out += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"red\"/>\n", x.place(scaled(lr)), y.place(loss));
    out += label(x.place(scaled(lr)), y.place(loss) - 10, "middle", number(lr));
  }
  return out + "</svg>\n";
}

}  // namespace levin::learning_rate_finder
