// Images as a network wants them: scaled as in Pillow, and padded.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"

namespace mnist {

class ImageForm {
 public:
  ImageForm() = default;
  // resize: height and width after scaling; 0: as in the file. pad: zeros on each side, after scaling.
  ImageForm(const ImageShape& file, int64_t resize, int64_t pad);
  bool changes() const { return pad_ > 0 || resizes_; }
  const ImageShape& shape() const { return shape_; }
  // Any thread. Gives the image in `out`, which only has to live as long as it is read.
  const uint8_t* apply(const uint8_t* image, std::vector<uint8_t>& out) const;

 private:
  ImageShape file_{}, shape_{};
  int64_t pad_ = 0;
  bool resizes_ = false;
};

}  // namespace mnist
