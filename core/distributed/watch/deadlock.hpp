// Detects processes that wait for each other forever, from the report of each process (CollectiveLog).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// Returns a description of which rank waits where, or "" if there is no deadlock. Slow processes are not a deadlock.
// reports: one for each rank. null = the rank is not known to wait; "left" = the rank has finished. The reports may be
// from different moments, as long as each was true at its own.
std::string deadlock(const std::vector<nlohmann::json>& reports);

}  // namespace levin::core
