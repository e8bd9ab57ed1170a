// Reading JSON that people write: comments are allowed, a key given twice is refused, errors say file:line:column.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

struct KeyPlace {
  int line;   // from 1
  int order;  // its number among all keys of the text, from 0
};

struct JsonDocument {
  nlohmann::json value;
  std::map<std::string, KeyPlace> places;  // the key of a nested member is its path, joined by "/"
};

// `name` stands for the text in errors, for example the file's path. Text nested deeper than 100 levels is refused.
JsonDocument parse_json_document(std::string_view text, const std::string& name, ErrorKind kind = ErrorKind::usage);
nlohmann::json parse_json(std::string_view text, const std::string& name, ErrorKind kind = ErrorKind::usage);

// JSON has no numbers that are not finite, so these are written as "nan", "inf" and "-inf".
nlohmann::json number_to_json(double value);
double number_from_json(const nlohmann::json& value);

// Whether Python would take the value for true: null, false and 0 are not.
bool truthy(const nlohmann::json& value);

// A value as text for one line of a message; long values are cut.
std::string show(const nlohmann::json& value);

}  // namespace levin::core
