// The files of a folder of texts.
#pragma once
#include <filesystem>
#include <vector>

namespace text {

// Returns the folders in a folder, sorted. Names that begin with a dot are left out, here and below. Throws
// levin::Error if the folder cannot be read.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

// Returns the files below a folder in the order of their paths. Links to folders are not followed. A link to a file is
// left out if that file is returned too: the same text would be in training and in validation.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace text
