// Spans of time as people write them.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace levin::core {

// Seconds of "DD:HH:MM:SS"; none when the text is not of this form.
std::optional<int64_t> parse_duration(const std::string& text);

// Seconds of the text form, or of an object such as {"hours": 2, "minutes": 30} (weeks, days, hours, minutes, seconds).
std::optional<double> duration_from_json(const nlohmann::json& value);

// "DD:HH:MM:SS" of whole seconds.
std::string format_duration(int64_t seconds);

}  // namespace levin::core
