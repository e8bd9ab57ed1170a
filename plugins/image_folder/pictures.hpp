// All pictures, their classes, and which of them train, validate, test and are predicted.
#pragma once
#include <string>
#include <vector>

#include "levin/data_module.hpp"
#include "options.hpp"

namespace image_folder {

struct Picture {
  std::string path;
  int64_t label = 0;  // 0 where the class is not known
};

struct Pictures {
  std::vector<std::string> classes;
  std::vector<Picture> splits[LEVIN_SPLITS];
  std::vector<std::string> remarks;  // for the user
  const std::vector<Picture>& of(levin::Split split) const { return splits[static_cast<size_t>(split)]; }
};

// Throws levin::Error for folders that do not fit.
Pictures find_pictures(const FolderOptions& options);

}  // namespace image_folder
