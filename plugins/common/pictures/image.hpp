// A picture in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace common {

struct Image {
  int64_t width = 0, height = 0, channels = 0;  // 1 = grey, 2 = grey and alpha, 3 = RGB, 4 = RGBA
  std::vector<uint8_t> pixels;                  // [height][width][channels]
};

// The header of an image file.
struct Header {
  int64_t width = 0, height = 0;
  int orientation = 1;  // EXIF orientation, 1 to 8
  int most_scans = 1;   // maximum number of scans of a progressive JPEG
  bool turned() const { return orientation >= 5; }
  int64_t shown_width() const { return turned() ? height : width; }
  int64_t shown_height() const { return turned() ? width : height; }
};

}  // namespace common
