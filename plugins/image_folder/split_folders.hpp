// The folders train, val and test.
#pragma once
#include <array>
#include <optional>
#include <string>

namespace image_folder {

using SplitFolders = std::array<std::string, 3>;  // index: LEVIN_TRAIN, LEVIN_VAL or LEVIN_TEST; "" = none

// Returns nullopt if the folders in `dir` are classes. Names of splits match in any letter case. Throws levin::Error if
// only some of the folders are splits, and for two folders of one split.
std::optional<SplitFolders> find_split_folders(const std::string& dir);

}  // namespace image_folder
