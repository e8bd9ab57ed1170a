// The curve of a range test as an SVG picture.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::learning_rate_finder {

struct Plot {
  std::vector<double> lrs, losses;   // non-finite points are left out
  bool logarithmic = true;           // logarithmic axis of the learning rates
  std::optional<size_t> suggestion;  // the index of the point to mark
};

// Returns a picture of 640 x 400 pixels, with axes labelled at their ends.
std::string svg(const Plot& plot);

}  // namespace levin::learning_rate_finder
