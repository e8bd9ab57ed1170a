// The folders train, val and test, if images are kept in such folders.
#pragma once
#include <array>
#include <optional>
#include <string>

namespace image_folder {

using SplitFolders = std::array<std::string, 3>;  // by LEVIN_TRAIN, LEVIN_VAL and LEVIN_TEST; "": there is none

// nullopt: the folders in `dir` are classes. Names of splits are known in any letter case. Throws levin::Error for
// folders that are partly splits and partly not, and for two folders of one split.
std::optional<SplitFolders> find_split_folders(const std::string& dir);

}  // namespace image_folder
