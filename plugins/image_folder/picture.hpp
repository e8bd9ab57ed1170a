// Reads an image file into the numbers of a row.
#pragma once
#include <string>
#include <vector>

#include "../common/pictures/decode.hpp"
#include "levin/images/batch.hpp"
#include "options.hpp"
#include "pictures.hpp"

namespace image_folder {

using common::Bytes;
using common::Header;
using common::Image;

class PictureReader {
 public:
  explicit PictureReader(const ImageOptions& options) : options_(options) {}

  // Writes [channels][height][width] to `out`: numbers (float) or bytes (uint8_t). random: the source for augmentation
  // of a training image; nullptr = no augmentation. Throws levin::Error that begins with the path. Thread-safe.
  template <class T>
  void read(const std::string& path, Random* random, T* out) const;
  // Adds the image to a batch of the options' transforms. The same holds for errors and threads.
  void read(const Picture& picture, levin::images::Batch& batch) const;
  // Throws the error of an image that cannot be read or transformed. Thread-safe.
  void check(const std::string& path) const;

 private:
  Image make(const Bytes& file, Random* random) const;
  levin::images::Image make(const Bytes& file) const;
  Box choose(const Size& picture, Random* random) const;
  Image padded(const Image& image, const Box& whole, const Size& shown) const;
  template <class T>
  void write(const Image& image, bool mirrored, T* out) const;
  template <class Read>
  static auto of_file(const std::string& path, Read read);

  ImageOptions options_;
};

}  // namespace image_folder
