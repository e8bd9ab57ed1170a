// The options by which pictures become numbers, of every data module that reads picture files.
#pragma once
#include <string>
#include <vector>

#include "../damaged_rows.hpp"
#include "../option_table.hpp"
#include "../pixel_numbers.hpp"
#include "decode.hpp"
#include "levin/images/transforms.hpp"

namespace common {

inline constexpr std::array<levin_option, 6> picture_options = {
    levin::integer("channels", "3", "3 = red, green, blue; 1 = grey", 1, 3),
    levin::text("mean", "\"imagenet\"",
                "mean to subtract from pixels in 0..1: imagenet, a number, or one for each channel"),
    levin::text("std", "\"imagenet\"", "standard deviation to divide by: imagenet, a number, or one for each channel"),
    levin::integer("background", "255", "grey level below transparent parts and around padded images", 0, 255),
    levin::choice("damaged", "\"stop\"",
                  "images that cannot be read: stop at the first, check all before the run and stop, or skip them",
                  damaged_ways),
    levin::number("max_megapixels", "100",
                  "maximum size of an image in megapixels; larger ones count as damaged (4 MB of memory a megapixel)",
                  0.001, 1e4)};

struct PictureOptions {
  // normalizes: false = numbers from 0 to 1, and mean and std may not be given. Throws levin::Error for wrong numbers.
  PictureOptions(const levin::Args& o, bool normalizes);
  // Decodes an image as it is to be shown, with these channels. reduction: as of decode().
  Image shown(const Bytes& file, const Header& header, int reduction = 1) const;
  // Writes [channels][height][width] numbers, or bytes.
  template <class T>
  void write(const levin::images::Image& image, T* out) const {
    const auto pixels = static_cast<size_t>(image.shape.height * image.shape.width);
    const T* const table = numbers.table<T>();
    for (size_t i = 0; i < image.pixels.size(); ++i) out[i] = table[256 * (i / pixels) + image.pixels[i]];
  }

  int64_t channels;
  uint8_t background;
  int64_t max_pixels;
  PixelNumbers numbers;
};

}  // namespace common
