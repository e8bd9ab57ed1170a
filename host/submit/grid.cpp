#include "host/submit/grid.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse_axis(const std::string& option, const std::string& what) {
  throw Error(ErrorKind::usage, "--grid." + option + ": " + what);
}

std::vector<std::string> listed(const std::string& option, const std::string& text) {
  std::vector<std::string> out;
  if (text[0] != '[') {
    for (const std::string& value : split(text, ',')) out.push_back(trim(value));
    return out;
  }
  const nlohmann::json list = parse_json(text, "--grid." + option);
  for (const auto& value : list) out.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return out;
}

}  // namespace

GridAxis read_grid_axis(const std::string& option, const std::string& text) {
  if (trim(text).empty()) refuse_axis(option, "no values are listed; use --grid." + option + " A,B");
  GridAxis axis{option, listed(option, trim(text))};
  if (axis.values.empty()) refuse_axis(option, "the list is empty");
  for (auto value = axis.values.begin(); value != axis.values.end(); ++value) {
    if (value->empty()) refuse_axis(option, "one of the values in '" + text + "' is empty");
    if (std::find(axis.values.begin(), value, *value) != value)
      refuse_axis(option, "'" + *value + "' is listed twice, which would be the same run again");
  }
  return axis;
}

std::vector<std::vector<std::string>> grid_product(const std::vector<GridAxis>& axes) {
  std::vector<std::vector<std::string>> out = {{}};
  for (const GridAxis& axis : axes) {
    if (out.size() * axis.values.size() > most_grid_runs)
      throw Error(ErrorKind::usage, "the grid has more than " + std::to_string(most_grid_runs) +
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
