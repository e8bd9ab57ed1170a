#include "image_form.hpp"

#include <algorithm>

#include "levin/images/resize.hpp"

namespace common {

ImageForm::ImageForm(const ImageShape& file, int64_t resize, int64_t pad)
    : file_(file), shape_(file), pad_(pad), resizes_(resize > 0) {
  if (resizes_) shape_.height = shape_.width = resize;
  shape_.height += 2 * pad;
  shape_.width += 2 * pad;
}

const uint8_t* ImageForm::apply(const uint8_t* image, std::vector<uint8_t>& out) const {
  if (!changes()) return image;
  out.assign(static_cast<size_t>(shape_.size()), 0);
  const int64_t height = shape_.height - 2 * pad_, width = shape_.width - 2 * pad_, plane = file_.height * file_.width;
  const levin::images::Box whole{0, 0, static_cast<float>(file_.width), static_cast<float>(file_.height)};
  std::vector<uint8_t> scaled;
  for (int64_t c = 0; c < shape_.channels; ++c) {
    const uint8_t* from = image + c * plane;
    if (resizes_) {
      scaled = levin::images::resized({file_.width, file_.height, 1, from}, whole, width, height);
      from = scaled.data();
    }
    uint8_t* corner = out.data() + (c * shape_.height + pad_) * shape_.width + pad_;
    for (int64_t y = 0; y < height; ++y) std::copy_n(from + y * width, width, corner + y * shape_.width);
  }
  return out.data();
}

}  // namespace common
