// The folders in which data sets are searched for.
#pragma once
#include <string>
#include <vector>

namespace common {

// Returns /usr/share/datasets, /usr/local/share/datasets and the user's data folders, as `host doctor` lists them.
std::vector<std::string> data_folders();

}  // namespace common
