// Dates and times as numbers.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace tables {

// Returns the seconds since 1970-01-01 00:00 UTC of a date or time of ISO 8601, such as "2024-03-01",
// "2024-03-01 12:30", "2024-03-01T12:30:05.25+01:00" or "2024-03"; without a time zone it is in UTC. Also of a number,
// which is in seconds already.
std::optional<double> time_in(std::string_view text);

// For messages: "... is no " a_time.
inline constexpr const char* a_time = "date or time such as 2024-03-01 12:30:00, or number of seconds";

// Returns true for a date with its day, which can hardly be anything else.
bool is_full_date(std::string_view text);

// Writes sine and cosine of the place in the day, in the week and in the year of a time.
inline constexpr size_t cycle_numbers = 6;
void write_cycles(double seconds, float* out);

}  // namespace tables
