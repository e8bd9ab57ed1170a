// The logger rows and checkpoints in a finished run's folder, for comparing two runs.
#pragma once
#include <filesystem>
#include <string>

// Returns the first difference between the folders of two runs, or "". Clock values are ignored.
std::string difference_of_runs(const std::filesystem::path& a, const std::filesystem::path& b);
