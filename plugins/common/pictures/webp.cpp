#include "webp.hpp"

#include <cstring>

#include "exif.hpp"
#include "levin/error.hpp"

#ifdef LEVIN_WITH_WEBP
#include <webp/decode.h>

namespace common {
namespace {

// Returns the orientation in the chunk EXIF; 1 if there is none.
int orientation_of(const std::vector<uint8_t>& file) {
  constexpr size_t first_chunk = 12, chunk_header = 8, prefix = 6;  // some programs write a JPEG's "Exif\0\0"
  for (size_t at = first_chunk; at + chunk_header <= file.size();) {
    const uint8_t *chunk = file.data() + at, *data = chunk + chunk_header;
    const size_t n = chunk[4] | size_t{chunk[5]} << 8 | size_t{chunk[6]} << 16 | size_t{chunk[7]} << 24;
    if (n > file.size() - at - chunk_header) break;
    if (std::memcmp(chunk, "EXIF", 4) == 0) {
      const size_t skip = n >= prefix && std::memcmp(data, "Exif\0\0", prefix) == 0 ? prefix : 0;
      return exif_orientation(data + skip, n - skip);
    }
    at += chunk_header + n + n % 2;
  }
  return 1;
}

WebPBitstreamFeatures features_of(const std::vector<uint8_t>& file) {
  WebPBitstreamFeatures features;
  const VP8StatusCode status = WebPGetFeatures(file.data(), file.size(), &features);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) throw levin::Error(LEVIN_E_IO, "is damaged: it ends too early");
  if (status != VP8_STATUS_OK) throw levin::Error(LEVIN_E_IO, "is damaged: its header is not that of a WebP image");
  if (features.has_animation) throw levin::Error(LEVIN_E_IO, "is an animation; single WebP images are read");
  return features;
}

}  // namespace

Header webp_header(const std::vector<uint8_t>& file) {
  const WebPBitstreamFeatures features = features_of(file);
  return {features.width, features.height, orientation_of(file), 1};
}

Image decode_webp(const std::vector<uint8_t>& file, const Header& header) {
  const bool alpha = features_of(file).has_alpha != 0;
  Image image{header.width, header.height, alpha ? 4 : 3, {}};
  const auto row = static_cast<size_t>(image.width * image.channels);
  image.pixels.resize(row * static_cast<size_t>(image.height));
  const auto decode = alpha ? &WebPDecodeRGBAInto : &WebPDecodeRGBInto;
  if (!decode(file.data(), file.size(), image.pixels.data(), image.pixels.size(), static_cast<int>(row)))
    throw levin::Error(LEVIN_E_IO, "is damaged: libwebp cannot decode it");
  return image;
}

}  // namespace common
#else
namespace common {

Header webp_header(const std::vector<uint8_t>&) {
  throw levin::Error(LEVIN_E_IO,
                     "is a WebP image, and this plugin was built without libwebp: install libwebp-dev and build again");
}
Image decode_webp(const std::vector<uint8_t>& file, const Header&) {
  webp_header(file);
  return {};
}

}  // namespace common
#endif
