// The files of a run folder, which other people may have made.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace levin::core {

// Returns true for a regular file in the run's folder. A link that leads out of the folder is not the run's own.
bool is_own_file(const std::filesystem::path& run, const std::filesystem::path& file);

// Reads a file of a run folder. Throws Error{usage} if it is not the run's own, or larger than 64 MiB, which no file of
// options or records is.
std::string read_own_file(const std::filesystem::path& run, const std::filesystem::path& file);

}  // namespace levin::core
