// The folders of runs below one folder, and the order in which these runs began.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace levin::core {

std::string version_name(const std::string& number);           // version_N, of runs that nobody named
int64_t highest_version(const std::filesystem::path& folder);  // -1: there is none

// config.json of a run says with this key how many runs had begun before it, so that no clock is needed: a clock may be
// set, and a folder touched or copied.
constexpr const char* run_order_key = "order";
int64_t next_run_order(const std::filesystem::path& folder);

// Runs of older releases do not say their order. version_N of these stands for N; those with other names come last, by
// when their folders have changed.
std::vector<std::filesystem::path> runs_newest_first(const std::filesystem::path& folder);

}  // namespace levin::core
