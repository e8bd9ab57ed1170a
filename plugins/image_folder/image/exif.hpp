// The orientation of a picture, as cameras write it.
#pragma once
#include "image.hpp"

namespace image_folder {

// The orientation that EXIF data says, which begins with the header of TIFF; 1 where it says none, or is damaged.
int exif_orientation(const uint8_t* data, size_t n);

// Whether the picture is mirrored on its way from the file to the screen, seen on the screen.
inline bool mirrors_x(int orientation) {
  return orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
}
inline bool mirrors_y(int orientation) {
  return orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
}

// The picture as it is to be shown.
Image upright(Image image, int orientation);

}  // namespace image_folder
