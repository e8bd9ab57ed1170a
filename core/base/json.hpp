// Reads hand-written JSON: comments are allowed, duplicate keys are refused, errors have file:line:column.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

struct KeyPlace {
  int line;   // from 1
  int order;  // position among all keys of the text, from 0
};

struct JsonDocument {
  nlohmann::json value;
  std::map<std::string, KeyPlace> places;  // the key of a nested member is its path, joined by "/"
};

// `name` names the text in errors, for example the file's path. Text nested deeper than 100 levels is refused.
JsonDocument parse_json_document(std::string_view text, const std::string& name, ErrorKind kind = ErrorKind::usage);
nlohmann::json parse_json(std::string_view text, const std::string& name, ErrorKind kind = ErrorKind::usage);

// Returns non-finite numbers as "nan", "inf" and "-inf", because JSON has no such numbers.
nlohmann::json number_to_json(double value);
double number_from_json(const nlohmann::json& value);

// Returns false for null, false and 0, else true.
bool truthy(const nlohmann::json& value);

// Returns the value as text for one line of a message; long values are shortened.
std::string show(const nlohmann::json& value);

}  // namespace levin::core
