// Whether processes wait for each other for ever, by what each of them has said of itself (CollectiveLog).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// reports: of each rank; null: it does not wait, as far as is known. One with "left" has ended its part. They may be of
// different moments, as long as each says what was true at its own. Returns who waits where, or "" if nobody is known
// to wait in vain: that a process is slow does not count.
std::string deadlock(const std::vector<nlohmann::json>& reports);

}  // namespace levin::core
