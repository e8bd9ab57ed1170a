// Parses the JSON of files that others wrote.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "levin/error.hpp"

namespace common {

// Throws nlohmann::json::exception for a text that is no JSON, and levin::Error, which begins with `name`, for one that
// is nested deeper than 100 levels: copies of it would overflow the stack.
template <class Json>
Json parsed_json(const std::string& text, const std::string& name) {
  constexpr int most_levels = 100;
  return Json::parse(text, [&](int depth, typename Json::parse_event_t, Json&) {
    if (depth > most_levels) throw levin::Error(LEVIN_E_IO, name + ": it is nested deeper than 100 levels");
    return true;
  });
}

// Returns what is wrong, without the library's mark "[json.exception.NAME] ".
inline std::string reason_of(const nlohmann::json::exception& e) {
  const std::string text = e.what();
  const size_t end = text.find("] ");
  return text.compare(0, 1, "[") == 0 && end != text.npos ? text.substr(end + 2) : text;
}

}  // namespace common
