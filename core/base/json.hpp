// Reads hand-written JSON (comments are allowed, duplicate keys are refused, errors have file:line:column), checks the
// types and ranges of its values, and shows them in messages.
#pragma once
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

struct KeyPlace {
  int line, column;  // of the first character of the key, from 1
  int order;         // position among all keys of the text, from 0
};

struct JsonDocument {
  nlohmann::json value;
  // The key of a nested member is its path, joined by "/". An element of a list has its place, from 0, as name.
  std::map<std::string, KeyPlace> places;

  KeyPlace place(const std::string& path) const;  // 1:1 if the text has no such key
  // Returns "NAME:LINE:COLUMN" for the start of a message, of the nearest key around a path that has no place. name:
  // the text's name.
  std::string place_text(const std::string& name, const std::string& path) const;
};

// `name` names the text in errors, for example the file's path. Text nested deeper than 100 levels is refused.
JsonDocument parse_json_document(std::string_view text, const std::string& name,
                                 ErrorCode code = ErrorCode::file_syntax);
nlohmann::json parse_json(std::string_view text, const std::string& name, ErrorCode code = ErrorCode::file_syntax);

// Returns non-finite numbers as "nan", "inf" and "-inf", because JSON has no such numbers.
nlohmann::json number_to_json(double value);
double number_from_json(const nlohmann::json& value);

// Returns false for null, false and 0, else true.
bool truthy(const nlohmann::json& value);

// Returns the value as text for one line of a message; long values are shortened.
std::string show(const nlohmann::json& value);

struct JsonRule {
  std::string_view key;  // keys of nested values are joined by "/"; "*" = every member or element
  bool (*holds)(const nlohmann::json&);
  const char* wanted;  // description of valid values: "a count"
};

// Throws Error{code}, which names `where`, the key and the value, for the first rule that does not hold. Missing keys
// and keys without a rule are valid.
template <size_t n>
void check_json(const nlohmann::json& value, const JsonRule (&rules)[n], const std::string& where, ErrorCode code);
void check_json(const nlohmann::json& value, const JsonRule& rule, const std::string& where, ErrorCode code);

// Returns the text of a JSON library error without the error's number.
std::string brief_json_error(const std::string& text);

namespace json_rule {
bool object(const nlohmann::json&);
bool list(const nlohmann::json&);
bool text(const nlohmann::json&);
bool text_or_null(const nlohmann::json&);
bool flag(const nlohmann::json&);
bool whole(const nlohmann::json&);
bool count(const nlohmann::json&);   // at most 2^53, which every reader of JSON can hold
bool number(const nlohmann::json&);  // also as number_to_json() writes it
}  // namespace json_rule

template <size_t n>
void check_json(const nlohmann::json& value, const JsonRule (&rules)[n], const std::string& where, ErrorCode code) {
  for (const JsonRule& rule : rules) check_json(value, rule, where, code);
}

}  // namespace levin::core
