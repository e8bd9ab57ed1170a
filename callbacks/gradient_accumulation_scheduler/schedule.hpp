// The number of batches per optimizer step, by epoch.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace levin::gradient_accumulation_scheduler {

using Schedule = std::map<int64_t, int64_t>;  // first epoch (from 0) -> number of batches from that epoch on

// Reads a JSON object such as {"4": 2, "8": 4}. Without an entry for epoch 0, its number is 1. Throws Error for an
// empty object, epochs below 0 and counts below 1.
Schedule parse_schedule(const std::string& json);

// Returns true if the number of batches changes.
bool changes(const Schedule& schedule);

int64_t factor_of(const Schedule& schedule, int64_t epoch);

}  // namespace levin::gradient_accumulation_scheduler
