// Finds the run folder among the arguments of `host resume`, before or after its options.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// Returns the index of the run folder, or nullopt if there is none. A word after an option that may take a value is
// that value, unless it is the last word and a folder with a config.json.
std::optional<size_t> find_run_folder(const std::vector<std::string>& arguments);

}  // namespace levin::core
