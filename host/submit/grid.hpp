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

// `text` is as in sweep/space/parameter.hpp: "0.1,0.01", a JSON list if a value has commas, or a range with steps.
// Throws Error{usage} if it has no such form, and for a range without steps.
GridAxis read_grid_axis(const std::string& option, const std::string& text);

// Returns the values of each run, one for each axis; the last axis changes fastest. Throws Error{usage} if there are
// too many runs.
std::vector<std::vector<std::string>> grid_product(const std::vector<GridAxis>& axes);

// Returns the arguments that set these values for a run.
std::vector<std::string> grid_words(const std::vector<GridAxis>& axes, const std::vector<std::string>& values);

}  // namespace levin::core
