// How many batches make one optimizer step, by epoch. Pure.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace levin::gradient_accumulation_scheduler {

using Schedule = std::map<int64_t, int64_t>;  // from this epoch on, counted from 0: so many batches

// Reads {"4": 2, "8": 4}, a JSON object; epoch 0 has 1 if it says nothing else. Throws Error for an empty one, epochs
// below 0 and counts below 1.
Schedule parse_schedule(const std::string& json);

// Whether there is more than one count.
bool changes(const Schedule& schedule);

int64_t factor_of(const Schedule& schedule, int64_t epoch);

}  // namespace levin::gradient_accumulation_scheduler
