// Changes of brightness and colours with the bytes of Pillow's ImageEnhance and ImageOps.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "levin/images/image.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// Returns the grey level of each pixel, as Pillow's convert("L"). Images that do not have three channels are returned
// as their first channel.
inline std::vector<uint8_t> grey_levels(const Image& image) {
  const auto n = static_cast<size_t>(image.shape.height * image.shape.width);
  if (image.shape.channels != 3) return {image.plane(0), image.plane(0) + n};
  std::vector<uint8_t> out(n);
  const uint8_t *red = image.plane(0), *green = image.plane(1), *blue = image.plane(2);
  for (size_t i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>((red[i] * 19595 + green[i] * 38470 + blue[i] * 7471 + 0x8000) >> 16);
  return out;
}

inline void make_grey(Image& image) {
  if (image.shape.channels != 3) return;
  const std::vector<uint8_t> levels = grey_levels(image);
  for (int64_t c = 0; c < 3; ++c) std::copy(levels.begin(), levels.end(), image.plane(c));
}

// Returns the byte between `from` (factor 0) and `to` (factor 1), or beyond it.
inline uint8_t blended(int from, int to, float factor) {
  return static_cast<uint8_t>(
      std::clamp(static_cast<float>(from) + factor * static_cast<float>(to - from), 0.0f, 255.0f));
}

// Factors: 1 = the image as it is.
inline void change_brightness(Image& image, float factor) {
  for (uint8_t& byte : image.pixels) byte = blended(0, byte, factor);
}
inline void change_contrast(Image& image, float factor) {
  const std::vector<uint8_t> levels = grey_levels(image);
  double sum = 0;
  for (const uint8_t level : levels) sum += level;
  const int mean = static_cast<int>(sum / static_cast<double>(levels.size()) + 0.5);
  for (uint8_t& byte : image.pixels) byte = blended(mean, byte, factor);
}
inline void change_saturation(Image& image, float factor) {
  const std::vector<uint8_t> levels = grey_levels(image);
  for (int64_t c = 0; c < image.shape.channels; ++c) {
    uint8_t* plane = image.plane(c);
    for (size_t i = 0; i < levels.size(); ++i) plane[i] = blended(levels[i], plane[i], factor);
  }
}

// Turns the hue of colours by this part of the circle, from -0.5 to 0.5.
inline void change_hue(Image& image, float turn) {
  if (image.shape.channels != 3) return;
  uint8_t *red = image.plane(0), *green = image.plane(1), *blue = image.plane(2);
  for (int64_t i = 0; i < image.shape.height * image.shape.width; ++i) {
    const int r = red[i], g = green[i], b = blue[i], high = std::max({r, g, b}), range = high - std::min({r, g, b});
    if (range == 0) continue;
    const auto over = [range](int difference) { return static_cast<float>(difference) / static_cast<float>(range); };
    float hue = high == r ? over(g - b) : high == g ? 2 + over(b - r) : 4 + over(r - g);
    hue += 6 * turn;
    const auto channel = [&](float offset) {
      const float k = std::fmod(hue + offset + 12, 6.0f);
      const float part = std::clamp(std::min(k, 4 - k), 0.0f, 1.0f);
      return static_cast<uint8_t>(std::lround(static_cast<float>(high) - static_cast<float>(range) * part));
    };
    red[i] = channel(5), green[i] = channel(3), blue[i] = channel(1);
  }
}

// A factor below 1 smooths the image, one above sharpens it. The border stays.
inline void change_sharpness(Image& image, float factor) {
  const Image from = image;
  const int64_t height = image.shape.height, width = image.shape.width;
  for (int64_t c = 0; c < image.shape.channels; ++c)
    for (int64_t y = 1; y + 1 < height; ++y)
      for (int64_t x = 1; x + 1 < width; ++x) {
        int sum = 4 * from.row(c, y)[x];
        for (int64_t dy = -1; dy <= 1; ++dy)
          for (int64_t dx = -1; dx <= 1; ++dx) sum += from.row(c, y + dy)[x + dx];
        const int smooth = (2 * sum + 13) / 26;
        image.row(c, y)[x] = blended(smooth, from.row(c, y)[x], factor);
      }
}

// Keeps this many bits of each byte.
inline void posterize(Image& image, int bits) {
  const auto mask = static_cast<uint8_t>(0xff << (8 - bits));
  for (uint8_t& byte : image.pixels) byte = static_cast<uint8_t>(byte & mask);
}
// Inverts bytes from the threshold on.
inline void solarize(Image& image, double threshold) {
  for (uint8_t& byte : image.pixels)
    if (byte >= threshold) byte = static_cast<uint8_t>(255 - byte);
}

// Replaces the bytes of each channel by a table, which make(histogram) returns.
template <class Make>
void map_channels(Image& image, const Make& make) {
  const int64_t n = image.shape.height * image.shape.width;
  for (int64_t c = 0; c < image.shape.channels; ++c) {
    uint8_t* plane = image.plane(c);
    std::array<int64_t, 256> histogram{};
    for (int64_t i = 0; i < n; ++i) ++histogram[plane[i]];
    const std::array<uint8_t, 256> table = make(histogram);
    for (int64_t i = 0; i < n; ++i) plane[i] = table[plane[i]];
  }
}

inline void auto_contrast(Image& image) {
  map_channels(image, [](const std::array<int64_t, 256>& histogram) {
    int low = 0, high = 255;
    while (low < 255 && histogram[static_cast<size_t>(low)] == 0) ++low;
    while (high > 0 && histogram[static_cast<size_t>(high)] == 0) --high;
    std::array<uint8_t, 256> table{};
    const double scale = high > low ? 255.0 / (high - low) : 1, offset = high > low ? -low * scale : 0;
    for (int i = 0; i < 256; ++i)
      table[static_cast<size_t>(i)] = static_cast<uint8_t>(std::clamp(static_cast<int>(i * scale + offset), 0, 255));
    return table;
  });
}

inline void equalize(Image& image) {
  map_channels(image, [](const std::array<int64_t, 256>& histogram) {
    int64_t sum = 0, last = 0;
    for (const int64_t count : histogram) {
      sum += count;
      if (count > 0) last = count;
    }
    const int64_t step = (sum - last) / 255;
    std::array<uint8_t, 256> table{};
    int64_t n = step / 2;
    for (size_t i = 0; i < 256; ++i) {
      table[i] = static_cast<uint8_t>(step == 0 ? static_cast<int64_t>(i) : std::min<int64_t>(255, n / step));
      n += histogram[i];
    }
    return table;
  });
}

}  // namespace levin::images
#pragma GCC visibility pop
