#include "picture.hpp"

#include <algorithm>
#include <cmath>

#include "../common/pictures/colours.hpp"
#include "../common/pictures/exif.hpp"

namespace image_folder {
namespace {

// Returns the reduction for decoding an image that becomes `factor` times smaller. Decoding large JPEGs at 1/2, 1/4 or
// 1/8 is many times faster. At least twice the pixels of the result remain on each side.
int reduction_by(double factor) {
  for (const int reduction : {8, 4, 2})
    if (2 * reduction <= factor) return reduction;
  return 1;
}

int reduction_of(const Box& box, const Size& result) {
  return reduction_by(std::min((box.right - box.left) / static_cast<double>(result.width),
                               (box.bottom - box.top) / static_cast<double>(result.height)));
}

// Maps a box of the shown picture to an image that was decoded smaller. The last pixels in the file may then stand for
// fewer than `reduction` pixels; in a mirrored picture these come first.
Box scaled(const Box& box, const Header& header, const Image& image, int reduction) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const auto r = static_cast<float>(reduction);
  const float x = common::mirrors_x(header.orientation) ? width - static_cast<float>(header.shown_width()) / r : 0,
              y = common::mirrors_y(header.orientation) ? height - static_cast<float>(header.shown_height()) / r : 0;
  return {std::max(0.0f, x + box.left / r), std::max(0.0f, y + box.top / r), std::min(width, x + box.right / r),
          std::min(height, y + box.bottom / r)};
}

Image resized(const Image& image, const Box& box, int64_t width, int64_t height) {
  const levin::images::Pixels pixels{image.width, image.height, image.channels, image.pixels.data()};
  return {width, height, image.channels, levin::images::resized(pixels, box, width, height)};
}

}  // namespace

template <class Read>
auto PictureReader::of_file(const std::string& path, Read read) {
  try {
    return read(common::read_bytes(path));
  } catch (const levin::Error& e) {
    throw levin::Error(e.status(), path + ": " + e.what());
  }
}

template <class T>
void PictureReader::read(const std::string& path, Random* random, T* out) const {
  const Image image = of_file(path, [&](const Bytes& file) { return make(file, random); });
  write(image, random && options_.flip && (*random)() < 0.5, out);
}
template void PictureReader::read(const std::string&, Random*, float*) const;
template void PictureReader::read(const std::string&, Random*, uint8_t*) const;

void PictureReader::read(const Picture& picture, levin::images::Batch& batch) const {
  of_file(picture.path, [&](const Bytes& file) { batch.add(make(file), picture.label); });
}

void PictureReader::check(const std::string& path) const {
  of_file(path, [&](const Bytes& file) {
    if (options_.transforms.empty()) return void(make(file, nullptr));
    levin::images::Image image = make(file);
    options_.transforms.apply(image, nullptr);
  });
}

levin::images::Image PictureReader::make(const Bytes& file) const {
  const Header header = common::read_header(file, options_.pixels.max_pixels);
  const double factor =
      options_.transforms.reduction({options_.pixels.channels, header.shown_height(), header.shown_width()});
  return common::in_planes(options_.pixels.shown(file, header, common::is_jpeg(file) ? reduction_by(factor) : 1));
}

Image PictureReader::make(const Bytes& file, Random* random) const {
  const Header header = common::read_header(file, options_.pixels.max_pixels);
  const Size shown{header.shown_width(), header.shown_height()};
  const Box box = choose(shown, random);
  const int reduction = common::is_jpeg(file) ? reduction_of(box, options_.size) : 1;
  const Image image = options_.pixels.shown(file, header, reduction);
  const Box part = scaled(box, header, image, reduction);
  if (options_.resize == "pad" && !(random && options_.crop == "resized")) return padded(image, part, shown);
  return resized(image, part, options_.size.width, options_.size.height);
}

Box PictureReader::choose(const Size& picture, Random* random) const {
  if (random && options_.crop == "resized") return random_part(picture, options_.size, options_.min_area, *random);
  if (options_.resize == "pad") return {0, 0, static_cast<float>(picture.width), static_cast<float>(picture.height)};
  const bool anywhere = random && options_.crop == "random";
  const double x = anywhere ? (*random)() : 0.5, y = anywhere ? (*random)() : 0.5;
  return cropped(picture, options_.size, options_.resize == "stretch", options_.crop_pct, x, y);
}

// Returns the whole picture centred on the background, as Pillow's ImageOps.pad.
Image PictureReader::padded(const Image& image, const Box& whole, const Size& shown) const {
  Size inner = options_.size;
  const double shape = static_cast<double>(shown.width) / static_cast<double>(shown.height);
  if (shape > static_cast<double>(inner.width) / static_cast<double>(inner.height))
    inner.height = std::max<int64_t>(1, std::lrint(static_cast<double>(inner.width) / shape));
  else
    inner.width = std::max<int64_t>(1, std::lrint(static_cast<double>(inner.height) * shape));
  const Image small = resized(image, whole, inner.width, inner.height);
  Image out{options_.size.width, options_.size.height, image.channels, {}};
  out.pixels.assign(static_cast<size_t>(out.width * out.height * out.channels), options_.pixels.background);
  const int64_t left = std::lrint(static_cast<double>(out.width - inner.width) * 0.5),
                top = std::lrint(static_cast<double>(out.height - inner.height) * 0.5);
  for (int64_t y = 0; y < inner.height; ++y) {
    const uint8_t* from = small.pixels.data() + y * inner.width * out.channels;
    std::copy(from, from + inner.width * out.channels,
              out.pixels.data() + ((top + y) * out.width + left) * out.channels);
  }
  return out;
}

template <class T>
void PictureReader::write(const Image& image, bool mirrored, T* out) const {
  const T* table = options_.pixels.numbers.table<T>();
  for (int64_t c = 0; c < image.channels; ++c, table += 256)
    for (int64_t y = 0; y < image.height; ++y) {
      const uint8_t* row = image.pixels.data() + y * image.width * image.channels + c;
      for (int64_t x = 0; x < image.width; ++x)
        *out++ = table[row[(mirrored ? image.width - 1 - x : x) * image.channels]];
    }
}

}  // namespace image_folder
