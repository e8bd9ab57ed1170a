// Chooses the part of a picture to use.
#pragma once
#include "../common/mixed.hpp"
#include "levin/images/resize.hpp"

namespace image_folder {

using levin::images::Box;

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

// Returns the largest part with the aspect ratio of the result (with `stretch`: of the picture), times `pct` on both
// sides. (x, y) is its position: 0 = left or top, 0.5 = middle, 1 = right or bottom. As Pillow's ImageOps.fit.
Box cropped(const Size& picture, const Size& result, bool stretch, double pct, double x, double y);

// Returns a part of random area (from min_area to the whole) and aspect ratio (3/4 to 4/3 of the result's), as
// torchvision's RandomResizedCrop; the middle if none of ten attempts fits.
Box random_part(const Size& picture, const Size& result, double min_area, Random& random);

}  // namespace image_folder
