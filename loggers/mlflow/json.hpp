// JSON from outside: of a server, or of files in a run folder.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace levin::mlflow {

using Json = nlohmann::ordered_json;

// Returns a discarded value if the text is no JSON. Values nested more deeply than 16 levels are dropped, because
// copying them recurses.
inline Json parsed(const std::string& text) {
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < 16; }, false);
}

// Bytes that are not UTF-8 are replaced.
inline std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace levin::mlflow
