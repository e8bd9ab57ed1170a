#include "sweep/space/value_list.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core::sweep {
namespace {

std::vector<std::string> listed(const std::string& where, const std::string& text) {
  std::vector<std::string> out;
  if (text[0] != '[') {
    for (const std::string& value : split(text, ',')) out.push_back(trim(value));
    return out;
  }
  const nlohmann::json list = parse_json(text, where);
  for (const auto& value : list) out.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return out;
}

}  // namespace

std::vector<std::string> read_value_list(const std::string& where, const std::string& text) {
  const auto refuse = [&where](const std::string& what) {
    throw Error(ErrorCode::search_space_invalid, where + ": " + what);
  };
  if (trim(text).empty()) refuse("no values are listed; list them as A,B");
  const std::vector<std::string> values = listed(where, trim(text));
  if (values.empty()) refuse("the list is empty");
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (value->empty()) refuse("one of the values in '" + text + "' is empty");
    if (std::find(values.begin(), value, *value) != value)
      refuse("'" + *value + "' is listed twice, which would be the same run again");
  }
  return values;
}

}  // namespace levin::core::sweep
