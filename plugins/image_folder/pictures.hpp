// All pictures and their classes, split into pictures for training, validation, test and prediction.
#pragma once
#include <string>
#include <vector>

#include "levin/data_module.hpp"
#include "options.hpp"

namespace image_folder {

struct Picture {
  std::string path;
  int64_t label = 0;  // 0 if the class is unknown
  std::string group;  // by a label file; "" = none
};

struct Pictures {
  std::vector<std::string> classes;
  std::vector<Picture> splits[LEVIN_SPLITS];
  std::vector<std::string> remarks;  // messages for the user
  const std::vector<Picture>& of(levin::Split split) const { return splits[static_cast<size_t>(split)]; }
};

// Throws levin::Error if the folders do not fit the options.
Pictures find_pictures(const FolderOptions& options);

}  // namespace image_folder
