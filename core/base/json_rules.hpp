// The types and ranges that the values of a JSON file have to have.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

struct JsonRule {
  std::string_view key;  // of nested values joined by "/"; "*" stands for every member or element
  bool (*holds)(const nlohmann::json&);
  const char* wanted;  // what the value has to be: "a count"
};

// Throws Error{kind} that names `where`, the key and the value for the first rule that does not hold. Keys that are
// missing, or that no rule is about, are right.
template <size_t n>
void check_json(const nlohmann::json& value, const JsonRule (&rules)[n], const std::string& where, ErrorKind kind);
void check_json(const nlohmann::json& value, const JsonRule& rule, const std::string& where, ErrorKind kind);

// A JSON error of the library for people: without its number.
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
