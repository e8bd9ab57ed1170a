// The run folders in one folder, and the order in which the runs began.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

std::string version_name(
    const std::string& number);  // returns "version_N", the name of a run without a name of its own
int64_t highest_version(const std::filesystem::path& folder);  // -1 = none

// The key of config.json that holds the number of runs that began before this one. Ordering runs needs no clock: a
// clock may be set, and a folder touched or copied.
constexpr const char* run_order_key = "order";
int64_t next_run_order(const std::filesystem::path& folder);

// Returns the run folders, newest first. Runs of older releases have no order: N counts as the order of version_N, and
// runs with other names come last, by when their folders last changed.
std::vector<std::filesystem::path> runs_newest_first(const std::filesystem::path& folder);

}  // namespace levin::core
