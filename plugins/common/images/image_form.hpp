// Converts images to the size that a network needs: scaled as in Pillow, and padded.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"

namespace common {

class ImageForm {
 public:
  ImageForm() = default;
  // resize: height and width after scaling; 0 = as in the file. pad: number of zeros added on each side after scaling.
  ImageForm(const ImageShape& file, int64_t resize, int64_t pad);
  bool changes() const { return pad_ > 0 || resizes_; }
  const ImageShape& shape() const { return shape_; }
  // Thread-safe. Returns the converted image, which is stored in `out`, or `image` itself if nothing changes.
  const uint8_t* apply(const uint8_t* image, std::vector<uint8_t>& out) const;

 private:
  ImageShape file_{}, shape_{};
  int64_t pad_ = 0;
  bool resizes_ = false;
};

}  // namespace common
