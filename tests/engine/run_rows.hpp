// What a run's folder holds when the run is over, for comparing two runs: rows of loggers, and checkpoints.
#pragma once
#include <filesystem>
#include <string>

// What differs between the folders of two runs that should be the same run; "" if nothing. Clocks are left out.
std::string difference_of_runs(const std::filesystem::path& a, const std::filesystem::path& b);
