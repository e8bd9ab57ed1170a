#include "image_set.hpp"

#include "levin/error.hpp"

namespace mnist {
namespace {

// By their headers: what does not belong together is not unpacked.
void check_shapes(const std::string& images, const std::string& labels) {
  const std::vector<int64_t> pixels = read_idx_shape(images), classes = read_idx_shape(labels);
  if (pixels.size() < 3)
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(pixels.size()) +
                                       " dimensions; images have 3 (rows, height, width) or 4 (rows, channels, ...)");
  if (classes.size() != 1)
    throw levin::Error(LEVIN_E_IO, labels + " has " + std::to_string(classes.size()) +
                                       " dimensions; labels have 1: are the two files swapped?");
  if (pixels.front() != classes.front())
    throw levin::Error(LEVIN_E_IO, images + " has " + std::to_string(pixels.front()) + " rows and " + labels + " " +
                                       std::to_string(classes.front()) + ": they do not belong together");
}

}  // namespace

Images read_images(const std::string& images, const std::string& labels) {
  check_shapes(images, labels);
  return {read_idx(images), read_idx(labels)};
}

std::vector<std::string> class_names(const std::string& folder, int64_t classes) {
  if (classes == 10 && folder.find("ashion") != std::string::npos)
    return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
  std::vector<std::string> names;
  for (int64_t i = 0; i < classes; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace mnist
