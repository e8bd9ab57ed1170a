// What differs between two sets of values.
#pragma once
#include <nlohmann/json.hpp>

namespace levin::core {

// Returns {key: [value in a, value in b]} of the keys whose values differ; "(none)" where one of them lacks the key.
inline nlohmann::json changed_values(const nlohmann::json& a, const nlohmann::json& b) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& item : a.items())
    if (!b.contains(item.key()) || b[item.key()] != item.value())
      out[item.key()] = {item.value(), b.contains(item.key()) ? b[item.key()] : nlohmann::json("(none)")};
  for (const auto& item : b.items())
    if (!a.contains(item.key())) out[item.key()] = {"(none)", item.value()};
  return out;
}

}  // namespace levin::core
