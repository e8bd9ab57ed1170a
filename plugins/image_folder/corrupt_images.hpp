// Finds images that cannot be read.
#pragma once
#include "picture.hpp"
#include "pictures.hpp"

namespace image_folder {

struct CorruptImages {
  std::vector<std::string> reasons;  // one per damaged image; begins with its path
  size_t read = 0;
};

// Writes the path and reason of each damaged image into damaged_images.txt in the folder, or removes the file if no
// image is damaged. Returns its path. Throws levin::Error if the file cannot be written.
std::string write_corrupt_images(const CorruptImages& corrupt, const std::string& folder);

// Reads every image once on up to 16 threads, and removes the damaged ones.
CorruptImages remove_corrupt(Pictures& pictures, const PictureReader& reader);

}  // namespace image_folder
