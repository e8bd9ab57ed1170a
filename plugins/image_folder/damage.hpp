// Looks for images that cannot be read.
#pragma once
#include "picture.hpp"
#include "pictures.hpp"

namespace image_folder {

struct Damage {
  std::vector<std::string> reasons;  // one for each damaged image, which begins with its path
  size_t read = 0;
};

// Reads every image once, on all cores, and takes the damaged ones out.
Damage remove_damaged(Pictures& pictures, const PictureReader& reader, size_t numbers);

}  // namespace image_folder
