// Values as other programs read them.
#pragma once
#include <cmath>
#include <random>
#include <string>

#include "levin/logger.hpp"
#include "levin/util/png.hpp"
#include "levin/util/text.hpp"

namespace levin::loggers {

// Returns "NaN", "Infinity", "-Infinity" or the shortest text of the number, as JavaScript and Python's float() read
// it.
inline std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return shortest(value);
}

inline std::string random_hex(int digits) {
  std::random_device random;
  std::string out;
  for (int i = 0; i < digits; ++i) out += "0123456789abcdef"[random() & 15];
  return out;
}

// Returns the pixels of an image (3 dimensions) or a video (4), of which the last one is the channels.
inline const uint8_t* pixels_of(const levin_media& m, int32_t dimensions) {
  const levin_view& v = *m.view;
  const int64_t channels = v.ndim == dimensions ? v.shape[dimensions - 1] : 0;
  const bool bytes = v.dtype.code == LEVIN_UINT && v.dtype.bits == 8;
  if (!bytes || v.strides || (channels != 1 && channels != 3 && channels != 4))
    throw Error(LEVIN_E_INVALID, std::string(m.kind) + " '" + m.tag + "': has to be row-major uint8 of " +
                                     (dimensions == 4 ? "frames x " : "") + "height x width x 1, 3 or 4 channels");
  return static_cast<const uint8_t*>(v.data) + v.byte_offset;
}

// Returns the bytes of a PNG file with the image.
inline std::string png_of(const levin_media& m) {
  const uint8_t* const pixels = pixels_of(m, 3);
  const auto size = [&](int d) { return static_cast<uint32_t>(m.view->shape[d]); };
  return png(pixels, size(0), size(1), size(2));
}

}  // namespace levin::loggers
