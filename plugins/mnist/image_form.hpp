// Images as a network wants them: scaled and padded.
#pragma once
#include <cstdint>
#include <vector>

#include "augment.hpp"

namespace mnist {

// Which pixels of a line one pixel of the scaled line is made of.
struct Taps {
  int64_t first;
  std::vector<int32_t> weights;  // 1 is 1 << 22
};
// Bilinear, as Pillow does it, to the bit: the filter is wider where the line becomes shorter.
std::vector<Taps> bilinear_taps(int64_t from, int64_t to);

class ImageForm {
 public:
  ImageForm() = default;
  // resize: height and width after scaling; 0: as in the file. pad: zeros on each side, after scaling.
  ImageForm(const ImageShape& file, int64_t resize, int64_t pad);
  bool changes() const { return pad_ > 0 || !rows_.empty(); }
  const ImageShape& shape() const { return shape_; }
  // Any thread. Gives the image in `out`, which only has to live as long as it is read.
  const uint8_t* apply(const uint8_t* image, std::vector<uint8_t>& out) const;

 private:
  void scale(const uint8_t* plane, uint8_t* out, int64_t stride) const;

  ImageShape file_{}, shape_{};
  int64_t pad_ = 0;
  std::vector<Taps> rows_, columns_;  // empty: no scaling
};

}  // namespace mnist
