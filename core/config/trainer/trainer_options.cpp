#include "core/config/trainer/trainer_options.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
// Returns the lower-case name if the value, in any letter case, is supported by Lightning but not by Levin; else null.
json refused_value(const TrainerOption& option, const json& value) {
  const std::string text = value.is_string() ? lower(value.get<std::string>()) : "";
  return option.refused.count(text) ? json(text) : json(nullptr);
}

}  // namespace

const TrainerOption* find_trainer_option(const std::string& name) {
  for (const auto& option : trainer_options()) {
    if (option.schema.name == name) return &option;
  }
  return nullptr;
}

std::string describe_type(const TrainerOption& option) {
  if (option.expects.empty()) return describe_type(option.schema);
  return option.expects + (option.schema.flags & LEVIN_OPT_NULLABLE ? " or null" : "");
}

json check_trainer_option(const TrainerOption& option, const json& value, const std::string& where) {
  json checked = refused_value(option, value);
  if (!checked.is_null()) return checked;
  if (option.rule == nullptr) {
    checked = check_option(option.schema, value, where);
  } else {
    const bool null = value.is_null() || (value.is_string() && scalar_from_text(value.get<std::string>()).is_null());
    const bool nullable_option = (option.schema.flags & LEVIN_OPT_NULLABLE) != 0;
    checked = null ? (nullable_option ? json(nullptr) : json(json::value_t::discarded)) : option.rule(value);
    if (checked.is_discarded()) {
      throw Error(ErrorKind::usage, where + ": " + show(value) + " is not valid; expected " + describe_type(option));
    }
  }
  if (option.missing.empty() || checked == option.schema.deflt) return checked;
  throw Error(ErrorKind::usage, where + ": " + show(checked) + " is refused: " + option.missing + "; leave it at " +
                                    show(option.schema.deflt));
}

}  // namespace levin::core
