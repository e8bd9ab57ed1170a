#include "host/config/option_schema.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core::config {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

// Returns a pattern of these words in upper or lower case.
std::string any_case(const Strings& words) {
  Strings patterns;
  for (const std::string& word : words) {
    std::string pattern;
    for (const char c : word) {
      const auto letter = static_cast<unsigned char>(c);
      if (std::isalpha(letter))
        pattern += {'[', static_cast<char>(std::tolower(letter)), static_cast<char>(std::toupper(letter)), ']'};
      else if (std::isalnum(letter) || c == '_' || c == '-')
        pattern += c;
      else
        pattern += {'[', c, ']'};
    }
    patterns.push_back(pattern);
  }
  return "^(" + join(patterns, "|") + ")$";
}

json typed(const Strings& types) { return {{"type", types}}; }

json number_schema(const OptionSchema& option, const char* type) {
  json out = typed({type, "string"});
  out["pattern"] = "^([+-]?[0-9.]+([eE][+-]?[0-9]+)?|[nN]ull|NULL|[nN]one|NONE)$";
  if (option.min > option.max) return out;
  constexpr double exact = 1e15;  // larger bounds only keep numbers exact
  if (option.min > -exact) out["minimum"] = option.min;
  if (option.max < exact) out["maximum"] = option.max;
  return out;
}

// The words as texts, and those that files write without quotation marks also as numbers and bools.
json words_schema(const Strings& words) {
  json all = json::array();
  for (const std::string& word : words) {
    all.push_back(word);
    const json value = scalar_from_text(word);
    if (value.is_boolean() || value.is_number()) all.push_back(value);
  }
  return {{"anyOf", {{{"enum", all}}, {{"type", "string"}, {"pattern", any_case(words)}}}}};
}

json of_type(const OptionSchema& option) {
  switch (option.type) {
    case LEVIN_T_BOOL:
      return {{"anyOf",
               {{{"type", "boolean"}},
                {{"enum", {0, 1}}},
                {{"type", "string"},
                 {"pattern", any_case({"true", "1", "yes", "on", "y", "false", "0", "no", "off", "n"})}}}}};
    case LEVIN_T_INT:
      return number_schema(option, "integer");
    case LEVIN_T_FLOAT:
      return number_schema(option, "number");
    case LEVIN_T_STRING:
      return typed({"string", "number", "boolean"});
    case LEVIN_T_PATH:
      return typed({"string"});
    case LEVIN_T_CHOICE:
      return words_schema(option.choices);
    case LEVIN_T_INTS: {
      json out = typed({"array", "integer", "string"});
      out["items"] = typed({"integer", "string"});
      return out;
    }
    default:
      return json::object();
  }
}

// Returns the types of the values that the rule of a Trainer option takes, by trying one of each kind.
json of_rule(const TrainerOption& option) {
  static const std::vector<std::pair<const char*, std::vector<json>>> kinds = {
      {"boolean", {true, false}},
      {"integer", {0, 1, 2}},
      {"number", {0.5, 1.0}},
      {"array", {json::array({0}), json::array({"a"})}},
      {"object", {{{"0", 1}}}}};
  const std::string list = "one of: ";
  if (starts_with(option.expects, list)) {
    Strings words;
    for (const std::string& word : split(option.expects.substr(list.size()), ',')) words.push_back(trim(word));
    return words_schema(words);
  }
  Strings types = {"string"};
  for (const auto& [type, values] : kinds)
    if (std::any_of(values.begin(), values.end(), [&](const json& v) { return !option.rule(v).is_discarded(); }))
      types.emplace_back(type);
  return typed(types);
}

json described(json schema, const OptionSchema& option, const std::string& type) {
  if ((option.flags & LEVIN_OPT_NULLABLE) != 0 && !schema.empty())
    schema = {{"anyOf", {schema, {{"type", "null"}}, {{"type", "string"}, {"pattern", any_case({"null", "none"})}}}}};
  schema["description"] = option.help + (option.help.empty() ? "" : " ") + "(" + type + ")";
  if ((option.flags & LEVIN_OPT_REQUIRED) == 0 && (option.flags & LEVIN_OPT_SECRET) == 0)
    schema["default"] = option.deflt;
  if (!option.deprecated.empty()) schema["deprecated"] = true;
  return schema;
}

}  // namespace

json schema_of(const OptionSchema& option) {
  // Any text may be the id of an optimizer or the PyTorch name of a schedule.
  const bool open = (option.flags & LEVIN_OPT_OPTIMIZER) != 0 || option.name == "scheduler";
  json schema = of_type(option);
  if (open && option.type == LEVIN_T_CHOICE) schema = {{"anyOf", {schema, {{"type", "string"}}}}};
  return described(std::move(schema), option, describe_type(option));
}

json schema_of(const TrainerOption& option) {
  return described(option.rule != nullptr ? of_rule(option) : of_type(option.schema), option.schema,
                   describe_type(option));
}

}  // namespace levin::core::config
