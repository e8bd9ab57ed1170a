#include <algorithm>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr double unbounded = std::numeric_limits<double>::infinity();

OptionSchema option(std::string name, uint32_t type, json deflt, std::string help) {
  OptionSchema schema;
  schema.name = std::move(name);
  schema.type = type;
  schema.deflt = std::move(deflt);
  schema.help = std::move(help);
  return schema;
}

OptionSchema bounded(OptionSchema schema, double min) {
  schema.min = min;
  schema.max = unbounded;
  return schema;
}

// Returns an example of the required option in the form in which users write it; "" if there is no obvious value.
std::string example(const OptionSchema& schema) {
  json value;
  if (schema.type == LEVIN_T_INT) value = 10;
  if (schema.type == LEVIN_T_FLOAT) value = 0.5;
  if (schema.type == LEVIN_T_INTS) value = json::array({10, 20});
  const bool ranged = schema.min <= schema.max && value.is_number();
  if (value.is_null() || (ranged && (value < schema.min || value > schema.max))) return "";
  return ", as in " + json::object({{schema.name, value}}).dump();
}

void check_names(const std::vector<OptionSchema>& schema, const json& given, const std::string& owner) {
  if (!given.is_object())
    throw Error(ErrorCode::option_value_invalid, owner + ": options must be an object of names and values");
  std::vector<std::string> names;
  for (const auto& known : schema) names.push_back(known.name);
  for (const auto& item : given.items()) {
    if (std::find(names.begin(), names.end(), item.key()) != names.end()) continue;
    throw Error(ErrorCode::option_unknown, unknown_name(owner + " has no option", item.key(), names));
  }
}

// Returns the options with former names replaced by the current ones.
json with_present_names(const std::vector<OptionSchema>& schema, json given, const std::string& owner) {
  for (const auto& known : schema) {
    for (const auto& alias : known.aliases) {
      const auto found = given.is_object() ? given.find(alias) : given.end();
      if (found == given.end()) continue;
      if (given.contains(known.name))
        throw Error(ErrorCode::options_conflict,
                    owner + ": '" + alias + "' is now '" + known.name + "'; give one of them");
      const json value = *found;
      given.erase(found);
      given[known.name] = value;
    }
  }
  return given;
}

}  // namespace

json resolve_options(const std::vector<OptionSchema>& schema, const json& written, const std::string& owner) {
  const json given = with_present_names(schema, written, owner);
  check_names(schema, given, owner);
  json values = json::object();
  for (const auto& known : schema) {
    const auto found = given.find(known.name);
    if (found != given.end()) {
      values[known.name] = check_option(known, *found, owner + ", option '" + known.name + "'");
    } else if (known.flags & LEVIN_OPT_REQUIRED) {
      throw Error(ErrorCode::option_missing,
                  owner + " needs the option '" + known.name + "' (" + known.help + ")" + example(known));
    } else {
      values[known.name] = known.deflt;
    }
  }
  return values;
}

std::vector<double> one_or_each(const json& value, std::size_t count, const std::string& where) {
  if (value.is_number()) return std::vector<double>(count, value.get<double>());
  if (!value.is_array() || value.size() != count) {
    throw Error(ErrorCode::option_value_invalid, where + ": expected a number, or an array with one for each of the " +
                                                     std::to_string(count) + " parameter groups, not " + value.dump());
  }
  std::vector<double> values;
  for (const auto& item : value) {
    if (!item.is_number())
      throw Error(ErrorCode::option_value_invalid, where + ": " + item.dump() + " is not a number");
    values.push_back(item.get<double>());
  }
  return values;
}

OptionSchema float_option(std::string name, json deflt, double min, std::string help) {
  return bounded(option(std::move(name), LEVIN_T_FLOAT, std::move(deflt), std::move(help)), min);
}

OptionSchema share_option(std::string name, double deflt, std::string help) {
  OptionSchema schema = float_option(std::move(name), deflt, 0, std::move(help));
  schema.max = 1;
  return schema;
}

OptionSchema int_option(std::string name, json deflt, double min, std::string help) {
  return bounded(option(std::move(name), LEVIN_T_INT, std::move(deflt), std::move(help)), min);
}

OptionSchema bool_option(std::string name, bool deflt, std::string help) {
  return option(std::move(name), LEVIN_T_BOOL, deflt, std::move(help));
}

OptionSchema json_option(std::string name, json deflt, std::string help) {
  return option(std::move(name), LEVIN_T_JSON, std::move(deflt), std::move(help));
}

OptionSchema ints_option(std::string name, json deflt, std::string help) {
  return option(std::move(name), LEVIN_T_INTS, std::move(deflt), std::move(help));
}

OptionSchema choice_option(std::string name, std::vector<std::string> choices, std::string help) {
  OptionSchema schema = option(std::move(name), LEVIN_T_CHOICE, choices.at(0), std::move(help));
  schema.choices = std::move(choices);
  return schema;
}

OptionSchema nullable(OptionSchema schema) {
  schema.flags |= LEVIN_OPT_NULLABLE;
  schema.deflt = nullptr;
  return schema;
}

OptionSchema required(OptionSchema schema) {
  schema.flags |= LEVIN_OPT_REQUIRED;
  schema.deflt = nullptr;
  return schema;
}

}  // namespace levin::core
