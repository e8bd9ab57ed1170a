// Checks the types and ranges of the values of a JSON file.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

struct JsonRule {
  std::string_view key;  // keys of nested values are joined by "/"; "*" = every member or element
  bool (*holds)(const nlohmann::json&);
  const char* wanted;  // description of valid values: "a count"
};

// Throws Error{kind}, which names `where`, the key and the value, for the first rule that does not hold. Missing keys
// and keys without a rule are valid.
template <size_t n>
void check_json(const nlohmann::json& value, const JsonRule (&rules)[n], const std::string& where, ErrorKind kind);
void check_json(const nlohmann::json& value, const JsonRule& rule, const std::string& where, ErrorKind kind);

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
void check_json(const nlohmann::json& value, const JsonRule (&rules)[n], const std::string& where, ErrorKind kind) {
  for (const JsonRule& rule : rules) check_json(value, rule, where, kind);
}

}  // namespace levin::core
