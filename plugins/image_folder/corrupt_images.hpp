// Looks for images that cannot be read.
#pragma once
#include "picture.hpp"
#include "pictures.hpp"

namespace image_folder {

struct CorruptImages {
  std::vector<std::string> reasons;  // one for each damaged image, which begins with its path
  size_t read = 0;
};

// Writes a line for each damaged image, with the reason, into damaged_images.txt of the folder, or removes an earlier
// such file where none is damaged. Returns its path. Throws levin::Error if it cannot be written.
std::string write_damage(const CorruptImages& damage, const std::string& folder);

// Reads every image once, on all cores, and takes the damaged ones out.
CorruptImages remove_damaged(Pictures& pictures, const PictureReader& reader, size_t numbers);

}  // namespace image_folder
