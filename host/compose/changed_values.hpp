// What differs between two sets of values.
#pragma once
#include <string>

#include "core/base/json.hpp"

namespace levin::core {

// Returns {key: {"first": value in a, "second": value in b}} of the keys whose values differ, without the member of the
// side that lacks the key.
inline nlohmann::json changed_values(const nlohmann::json& a, const nlohmann::json& b) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& item : a.items())
    if (!b.contains(item.key()) || b[item.key()] != item.value()) out[item.key()]["first"] = item.value();
  for (const auto& item : b.items())
    if (!a.contains(item.key()) || a[item.key()] != item.value()) out[item.key()]["second"] = item.value();
  return out;
}

// Returns a side of such a value as text. side: "first" or "second".
inline std::string changed_text(const nlohmann::json& change, const char* side) {
  return change.contains(side) ? show(change[side]) : "(none)";
}

}  // namespace levin::core
