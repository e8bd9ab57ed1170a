// How many batches make one optimizer step in each epoch.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace levin::gradient_accumulation_scheduler {

using Schedule = std::map<int64_t, int64_t>;  // first epoch (from 0) -> number of batches from that epoch on

// Reads a JSON object such as {"4": 2, "8": 4}. Epoch 0 has 1 batch if the object does not say otherwise. Throws Error
// for an empty object, epochs below 0 and counts below 1.
Schedule parse_schedule(const std::string& json);

// Whether the number of batches changes.
bool changes(const Schedule& schedule);

int64_t factor_of(const Schedule& schedule, int64_t epoch);

}  // namespace levin::gradient_accumulation_scheduler
