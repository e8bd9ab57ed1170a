#include "colours.hpp"

namespace common {

Image with_channels(const Image& image, int64_t channels, uint8_t background) {
  if (image.channels == channels) return image;
  const bool colour = image.channels >= 3, alpha = image.channels % 2 == 0;
  Image out{image.width, image.height, channels, {}};
  out.pixels.resize(static_cast<size_t>(out.width * out.height * channels));
  uint8_t* to = out.pixels.data();
  const uint8_t *from = image.pixels.data(), *end = from + image.pixels.size();
  for (; from < end; from += image.channels, to += channels) {
    uint32_t rgb[3] = {from[0], from[colour ? 1 : 0], from[colour ? 2 : 0]};
    const uint32_t opaque = alpha ? from[image.channels - 1] : 255;
    if (opaque != 255)
      for (uint32_t& c : rgb) c = (c * opaque + background * (255 - opaque) + 127) / 255;
    if (channels == 3)
      for (int c = 0; c < 3; ++c) to[c] = static_cast<uint8_t>(rgb[c]);
    else
      to[0] = static_cast<uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
  }
  return out;
}

levin::images::Image in_planes(const Image& image) {
  levin::images::Image out({image.channels, image.height, image.width});
  for (int64_t c = 0; c < image.channels; ++c) {
    const uint8_t* from = image.pixels.data() + c;
    uint8_t* to = out.plane(c);
    for (int64_t i = 0; i < image.height * image.width; ++i, from += image.channels) to[i] = *from;
  }
  return out;
}

}  // namespace common
