#include "image_set.hpp"

#include "levin/error.hpp"

namespace mnist {

Images read_images(const std::string& images, const std::string& labels) {
  Images set{read_idx(images), read_idx(labels)};
  if (set.pixels.shape.size() < 3)
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(set.pixels.shape.size()) +
                                       " dimensions; images have 3 (rows, height, width) or 4 (rows, channels, ...)");
  if (set.labels.shape.size() != 1)
    throw levin::Error(LEVIN_E_IO, labels + " has " + std::to_string(set.labels.shape.size()) +
                                       " dimensions; labels have 1: are the two files swapped?");
  if (set.pixels.rows() != set.labels.rows())
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(set.pixels.rows()) + " rows and " + labels + " " +
                                       std::to_string(set.labels.rows()) + ": they do not belong together");
  return set;
}

std::vector<std::string> class_names(const std::string& folder, int64_t classes) {
  if (classes == 10 && folder.find("ashion") != std::string::npos)
    return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
  std::vector<std::string> names;
  for (int64_t i = 0; i < classes; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace mnist
