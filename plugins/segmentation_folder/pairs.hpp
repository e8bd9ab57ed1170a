// Images and their masks, split into pairs for training, validation, test and prediction.
#pragma once
#include <string>
#include <vector>

#include "../common/split_options.hpp"
#include "levin/data_module.hpp"

namespace segmentation_folder {

struct Pair {
  std::string image, mask;  // paths; mask "" = the image is to be predicted and has none
};

struct Pairs {
  std::vector<Pair> splits[LEVIN_SPLITS];
  std::vector<std::string> remarks;  // messages for the user
  const std::vector<Pair>& of(levin::Split split) const { return splits[static_cast<size_t>(split)]; }
};

struct PairOptions {
  explicit PairOptions(const levin::Args& o);
  std::string images, masks, predict_dir;
  common::Splitting splitting;
};

// The mask of images/a/b.jpg is masks/a/b.png. If all images are in folders called train, val and test, these are the
// splits. Throws levin::Error for an image without a mask, unless lists leave it out.
Pairs find_pairs(const PairOptions& options);

}  // namespace segmentation_folder
