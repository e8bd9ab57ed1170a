// PNG images, written without a library.
#pragma once
#include <cstdint>
#include <string>

#include "levin/util/deflate.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail::image {

inline std::string big_endian(uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

inline uint32_t crc32(const std::string& data) {
  uint32_t crc = ~0u;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

inline std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<uint32_t>(data.size())) + type + data + big_endian(crc32(type + data));
}

}  // namespace detail::image

// Returns the bytes of a PNG file. pixels: [height, width, channels], row-major, with 1 (grey), 3 (RGB) or 4 (RGBA)
// channels.
inline std::string png(const uint8_t* pixels, uint32_t height, uint32_t width, uint32_t channels) {
  const char color = channels == 1 ? 0 : channels == 3 ? 2 : 6;
  std::string rows;
  for (uint32_t y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(pixels) + size_t{y} * width * channels, size_t{width} * channels);
  }
  const std::string head =
      detail::image::big_endian(width) + detail::image::big_endian(height) + std::string{8, color, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + detail::image::chunk("IHDR", head) + detail::image::chunk("IDAT", zlib_stream(rows)) +
         detail::image::chunk("IEND", "");
}

}  // namespace levin
#pragma GCC visibility pop
