// The product of listed values of options.
#pragma once
#include <string>
#include <vector>

namespace levin::core {

struct GridAxis {
  std::string option;  // without dashes, as the user named it: "model.lr", "lr"
  std::vector<std::string> values;
};

inline constexpr size_t most_grid_runs = 10000;

// `text` is "0.1,0.01", or a list as JSON where a value has commas. Throws Error{usage} for no or empty values, and for
// one that is listed twice.
GridAxis read_grid_axis(const std::string& option, const std::string& text);

// One value of each axis, for each run; the last axis changes fastest. Throws Error{usage} if they are too many.
std::vector<std::vector<std::string>> grid_product(const std::vector<GridAxis>& axes);

// The arguments that give a run its values.
std::vector<std::string> grid_words(const std::vector<GridAxis>& axes, const std::vector<std::string>& values);

}  // namespace levin::core
