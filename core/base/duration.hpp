// Spans of time as people write them.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace levin::core {

// The seconds of a text "DD:HH:MM:SS", or nullopt when the text does not have this form.
std::optional<int64_t> parse_duration(const std::string& text);

// The seconds of the text form, or of an object such as {"hours": 2, "minutes": 30} with any of the keys weeks, days,
// hours, minutes and seconds. Returns nullopt for anything else.
std::optional<double> duration_from_json(const nlohmann::json& value);

// Writes whole seconds as "DD:HH:MM:SS".
std::string format_duration(int64_t seconds);

}  // namespace levin::core
