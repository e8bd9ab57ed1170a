// The EXIF orientation of a picture.
#pragma once
#include "image.hpp"

namespace common {

// Returns the orientation in EXIF data, which begins with a TIFF header; 1 if there is none or the data is damaged.
int exif_orientation(const uint8_t* data, size_t n);

// Returns true if the shown picture is mirrored, in the coordinates of the shown picture.
inline bool mirrors_x(int orientation) {
  return orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
}
inline bool mirrors_y(int orientation) {
  return orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
}

// Returns the picture as it is to be shown.
Image upright(Image image, int orientation);

}  // namespace common
