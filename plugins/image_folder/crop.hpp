// Which part of a picture is handed out.
#pragma once
#include "../common/mixed.hpp"
#include "../common/resize.hpp"

namespace image_folder {

using common::Box;

struct Size {
  int64_t width, height;
};

// Random numbers from 0 to 1, the same on every machine.
class Random {
 public:
  explicit Random(uint64_t stream) : next_(stream) {}
  double operator()() { return static_cast<double>(common::mixed(next_++) >> 11) * 0x1p-53; }

 private:
  uint64_t next_;
};

// The largest part that has the shape of the result, or if `stretch` the shape of the picture, times `pct` on both
// sides. It lies at (x, y): 0 is left or above, 0.5 the middle, 1 right or below. Pillow's ImageOps.fit.
Box cropped(const Size& picture, const Size& result, bool stretch, double pct, double x, double y);

// A part of random area (from min_area to the whole) and shape (3/4 to 4/3 of the result's), as torchvision's
// RandomResizedCrop; the middle where none of ten fits.
Box random_part(const Size& picture, const Size& result, double min_area, Random& random);

}  // namespace image_folder
