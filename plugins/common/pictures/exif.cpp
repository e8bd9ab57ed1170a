#include "exif.hpp"

namespace common {
namespace {

// Reads numbers of 2 and 4 bytes in either byte order; 0 past the end.
class TiffBytes {
 public:
  TiffBytes(const uint8_t* data, size_t n) : data_(data), n_(n), big_(n > 0 && data[0] == 'M') {}
  uint32_t number(size_t at, size_t size) const {
    uint32_t value = 0;
    if (at > n_ || size > n_ - at) return 0;
    for (size_t i = 0; i < size; ++i) value |= static_cast<uint32_t>(data_[at + i]) << (8 * (big_ ? size - 1 - i : i));
    return value;
  }
  bool is_tiff() const { return n_ >= 8 && (data_[0] == 'M' || data_[0] == 'I') && number(2, 2) == 42; }

 private:
  const uint8_t* data_;
  size_t n_;
  bool big_;
};

}  // namespace

int exif_orientation(const uint8_t* data, size_t n) {
  constexpr uint32_t orientation_tag = 0x0112, short_type = 3;
  const TiffBytes tiff(data, n);
  if (!tiff.is_tiff()) return 1;
  const size_t directory = tiff.number(4, 4), entries = tiff.number(directory, 2);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + 12 * i;
    if (tiff.number(entry, 2) != orientation_tag || tiff.number(entry + 2, 2) != short_type) continue;
    const uint32_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image upright(Image image, int orientation) {
  if (orientation == 1) return image;
  const bool swaps = orientation >= 5, mirror_x = mirrors_x(orientation), mirror_y = mirrors_y(orientation);
  Image out{swaps ? image.height : image.width, swaps ? image.width : image.height, image.channels, {}};
  out.pixels.resize(image.pixels.size());
  uint8_t* to = out.pixels.data();
  for (int64_t y = 0; y < out.height; ++y)
    for (int64_t x = 0; x < out.width; ++x, to += out.channels) {
      const int64_t px = mirror_x ? out.width - 1 - x : x, py = mirror_y ? out.height - 1 - y : y;
      const int64_t sx = swaps ? py : px, sy = swaps ? px : py;
      const uint8_t* from = image.pixels.data() + (sy * image.width + sx) * image.channels;
      for (int64_t c = 0; c < out.channels; ++c) to[c] = from[c];
    }
  return out;
}

}  // namespace common
