// The time limit of a job, in SLURM's forms.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace levin::core {

inline constexpr const char* time_limit_forms = "MINUTES, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS";

// Returns the limit in seconds, or nullopt if the text has none of these forms or the time is 0.
std::optional<int64_t> time_limit_seconds(const std::string& text);

}  // namespace levin::core
