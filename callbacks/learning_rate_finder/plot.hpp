// The curve of a range test as an SVG picture. Pure.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::learning_rate_finder {

struct Plot {
  std::vector<double> lrs, losses;   // points that are not finite are left out
  bool logarithmic = true;           // the axis of rates
  std::optional<size_t> suggestion;  // marked
};

// 640 x 400 pixels, with axes and the numbers at their ends.
std::string svg(const Plot& plot);

}  // namespace levin::learning_rate_finder
