#include "host/submit/grid.hpp"

#include "core/base/error.hpp"
#include "sweep/space/parameter.hpp"

namespace levin::core {
GridAxis read_grid_axis(const std::string& option, const std::string& text) {
  const std::string where = "--grid." + option;
  const sweep::Parameter parameter = sweep::read_parameter(option, text, where);
  const auto values = parameter.all_values();
  if (!values)
    throw Error(ErrorCode::search_space_invalid, where + ": " + parameter.text +
                                                     " has no steps, and a grid needs listed values or steps; " +
                                                     "host sweep tries values of a range");
  GridAxis axis{option, {}};
  for (const double value : *values) axis.values.push_back(parameter.written(value));
  return axis;
}

std::vector<std::vector<std::string>> grid_product(const std::vector<GridAxis>& axes) {
  std::vector<std::vector<std::string>> out = {{}};
  for (const GridAxis& axis : axes) {
    if (out.size() * axis.values.size() > most_grid_runs)
      throw Error(ErrorCode::search_space_invalid, "the grid has more than " + std::to_string(most_grid_runs) +
                                                       " runs; list fewer values, or submit parts of it");
    std::vector<std::vector<std::string>> longer;
    for (const auto& begun : out)
      for (const std::string& value : axis.values) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    out = std::move(longer);
  }
  return out;
}

std::vector<std::string> grid_words(const std::vector<GridAxis>& axes, const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (size_t i = 0; i < axes.size(); ++i) out.push_back("--" + axes[i].option + "=" + values[i]);
  return out;
}

}  // namespace levin::core
