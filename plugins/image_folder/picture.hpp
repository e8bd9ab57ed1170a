// Reads an image file into the numbers of a row.
#pragma once
#include <string>
#include <vector>

#include "image/decode.hpp"
#include "options.hpp"

namespace image_folder {

class PictureReader {
 public:
  explicit PictureReader(const ImageOptions& options);

  // Writes the numbers [channels][height][width] to `out`. random: the source for augmentation of a training image;
  // nullptr = no augmentation. Throws levin::Error that begins with the path. Thread-safe.
  void read(const std::string& path, Random* random, float* out) const;

 private:
  Image make(const Bytes& file, Random* random) const;
  Box choose(const Size& picture, Random* random) const;
  Image padded(const Image& image, const Box& whole, const Size& shown) const;
  void write(const Image& image, bool mirrored, float* out) const;

  ImageOptions options_;
  std::vector<float> table_;  // [channels][256]: the number that each byte becomes
};

}  // namespace image_folder
