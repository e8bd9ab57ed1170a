// Which parameters are frozen in which epochs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace levin::freeze_schedule {

struct Change {
  int64_t epoch;  // in which it is made, from 0
  bool freezes;
  std::vector<std::string> patterns;
};
using Schedule = std::vector<Change>;  // in order

// The arguments are JSON objects: {"3": "features", "5": ["*.bias", "embed.*"]}. In an epoch of both, parameters are
// frozen first. Throws Error for other texts.
Schedule parse_schedule(const std::string& freeze, const std::string& unfreeze);

// Returns true if the parameter is frozen in the epoch; nullopt = the schedule does not name it. A parameter that is
// first unfrozen is frozen before.
std::optional<bool> frozen_in(const Schedule& schedule, const std::string& parameter, int64_t epoch);

}  // namespace levin::freeze_schedule
