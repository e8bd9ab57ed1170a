// Transforms that move the pixels of an image: a struct for each row of LEVIN_GEOMETRY_TRANSFORMS.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "levin/images/arguments.hpp"
#include "levin/images/image.hpp"
#include "levin/images/resize.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {
namespace detail_of_geometry {

constexpr int64_t largest = 16384;

// Returns the part of the image whose corner is (top, left), which may lie outside; `fill` stands around an image, and
// `outside` around a mask.
inline Image part_of(const Image& image, int64_t top, int64_t left, int64_t height, int64_t width, uint8_t fill = 0) {
  Image out = image.blank({image.shape.channels, height, width}, fill);
  const int64_t first = std::max<int64_t>(0, -top), end = std::min(height, image.shape.height - top);
  const int64_t from = std::max<int64_t>(0, -left), to = std::min(width, image.shape.width - left);
  if (from >= to) return out;
  for (int64_t c = 0; c < out.shape.channels; ++c)
    for (int64_t y = first; y < end; ++y)
      std::copy_n(image.row(c, y + top) + left + from, to - from, out.row(c, y) + from);
  return out;
}

// Takes the nearest pixel, as Pillow's NEAREST.
inline void scale_mask(const Image& mask, const Box& box, Image& out) {
  const auto nearest = [](double from, double to, int64_t i, int64_t n, int64_t size) {
    const double place = from + (static_cast<double>(i) + 0.5) * (to - from) / static_cast<double>(n);
    return std::clamp<int64_t>(static_cast<int64_t>(place), 0, size - 1);
  };
  const Shape& to = out.shape;
  std::vector<int64_t> columns;
  for (int64_t x = 0; x < to.width; ++x) columns.push_back(nearest(box.left, box.right, x, to.width, mask.shape.width));
  for (int64_t y = 0; y < to.height; ++y) {
    const uint8_t* row = mask.row(0, nearest(box.top, box.bottom, y, to.height, mask.shape.height));
    for (int64_t x = 0; x < to.width; ++x) out.row(0, y)[x] = row[columns[static_cast<size_t>(x)]];
  }
}

inline Image scaled(const Image& image, const Box& box, int64_t height, int64_t width) {
  Image out = image.blank({image.shape.channels, height, width});
  if (image.is_mask) {
    scale_mask(image, box, out);
    return out;
  }
  for (int64_t c = 0; c < out.shape.channels; ++c) {
    const Pixels plane{image.shape.width, image.shape.height, 1, image.plane(c)};
    const std::vector<uint8_t> bytes = resized(plane, box, width, height);
    std::copy(bytes.begin(), bytes.end(), out.plane(c));
  }
  return out;
}

}  // namespace detail_of_geometry

namespace named {

class resize : public Transform {
 public:
  explicit resize(const Arguments& a)
      : height_(a.whole(0, 1, detail_of_geometry::largest)), width_(a.whole(1, 0, detail_of_geometry::largest)) {}
  Shape after(const Shape& in) const override {
    if (width_ > 0) return {in.channels, height_, width_};
    if (in.height == 0 || in.width == 0) return in;
    const auto longer = [&](int64_t size, int64_t shorter) {
      if (height_ * size / shorter <= detail_of_geometry::largest) return height_ * size / shorter;
      throw Error(LEVIN_E_INVALID, "transform resize:" + std::to_string(height_) + ": an image of " +
                                       std::to_string(in.height) + " x " + std::to_string(in.width) +
                                       " would be longer than " + std::to_string(detail_of_geometry::largest) +
                                       "; give a width too");
    };
    if (in.height < in.width) return {in.channels, height_, longer(in.width, in.height)};
    return {in.channels, longer(in.height, in.width), height_};
  }
  void apply(Image& image, Random*) const override {
    const Shape to = after(image.shape);
    const auto width = static_cast<float>(image.shape.width), height = static_cast<float>(image.shape.height);
    image = detail_of_geometry::scaled(image, {0, 0, width, height}, to.height, to.width);
  }
  double reduction(const Shape& in) const override {
    const Shape to = after(in);
    return std::min(static_cast<double>(in.height) / static_cast<double>(to.height),
                    static_cast<double>(in.width) / static_cast<double>(to.width));
  }

 private:
  const int64_t height_, width_;
};

class pad : public Transform {
 public:
  explicit pad(const Arguments& a) : pixels_(a.whole(0, 0, 1024)), fill_(static_cast<uint8_t>(a.whole(1, 0, 255))) {}
  Shape after(const Shape& in) const override {
    const auto wider = [&](int64_t size) { return size == 0 ? 0 : size + 2 * pixels_; };
    return {in.channels, wider(in.height), wider(in.width)};
  }
  void apply(Image& image, Random*) const override {
    const Shape to = after(image.shape);
    image = detail_of_geometry::part_of(image, -pixels_, -pixels_, to.height, to.width, fill_);
  }

 private:
  const int64_t pixels_;
  const uint8_t fill_;
};

class center_crop : public Transform {
 public:
  explicit center_crop(const Arguments& a) : size_(a.whole(0, 1, detail_of_geometry::largest)) {}
  Shape after(const Shape& in) const override { return {in.channels, size_, size_}; }
  void apply(Image& image, Random*) const override {
    const int64_t down = image.shape.height - size_, across = image.shape.width - size_;
    image = detail_of_geometry::part_of(image, down / 2, across / 2, size_, size_);
  }

 private:
  const int64_t size_;
};

class random_crop : public Transform {
 public:
  explicit random_crop(const Arguments& a)
      : text_(a.text()), size_(a.whole(0, 1, detail_of_geometry::largest)), pad_(a.whole(1, 0, 1024)) {}
  Shape after(const Shape& in) const override {
    for (const int64_t side : {in.height, in.width})
      if (side > 0 && side + 2 * pad_ < size_)
        throw Error(LEVIN_E_INVALID, "transform '" + text_ + "': images of " + std::to_string(in.height) + " x " +
                                         std::to_string(in.width) + " are too small; resize them before, or pad by " +
                                         std::to_string((size_ - side + 1) / 2) + " or more");
    return {in.channels, size_, size_};
  }
  void apply(Image& image, Random* random) const override {
    after(image.shape);
    const int64_t down = image.shape.height + 2 * pad_ - size_, across = image.shape.width + 2 * pad_ - size_;
    const int64_t top = random ? random->below(down + 1) : down / 2;
    const int64_t left = random ? random->below(across + 1) : across / 2;
    image = detail_of_geometry::part_of(image, top - pad_, left - pad_, size_, size_);
  }

 private:
  const std::string text_;
  const int64_t size_, pad_;
};

// As torchvision's RandomResizedCrop, with aspect ratios from 3/4 to 4/3.
class random_resized_crop : public Transform {
 public:
  explicit random_resized_crop(const Arguments& a)
      : size_(a.whole(0, 1, detail_of_geometry::largest)), min_area_(a.number(1, 0.001, 1)) {}
  Shape after(const Shape& in) const override { return {in.channels, size_, size_}; }
  void apply(Image& image, Random* random) const override {
    const auto width = static_cast<double>(image.shape.width), height = static_cast<double>(image.shape.height);
    image =
        detail_of_geometry::scaled(image, random ? drawn(width, height, *random) : middle(width, height), size_, size_);
  }
  // The shortest side of a part has the least area and an aspect ratio of 3/4.
  double reduction(const Shape& in) const override {
    const auto width = static_cast<double>(in.width), height = static_cast<double>(in.height);
    const double shortest = std::min({std::sqrt(width * height * min_area_ * 3 / 4), width, height});
    return shortest / static_cast<double>(size_);
  }

 private:
  static Box at(double left, double top, double width, double height) {
    return {static_cast<float>(left), static_cast<float>(top), static_cast<float>(left + width),
            static_cast<float>(top + height)};
  }
  static Box middle(double width, double height) {
    const double side = std::min(width, height);
    return at((width - side) / 2, (height - side) / 2, side, side);
  }
  Box drawn(double width, double height, Random& random) const {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const double area = width * height * random.uniform(min_area_, 1);
      const double ratio = std::exp(random.uniform(std::log(3.0 / 4), std::log(4.0 / 3)));
      const double w = std::round(std::sqrt(area * ratio)), h = std::round(std::sqrt(area / ratio));
      if (w < 1 || h < 1 || w > width || h > height) continue;
      const auto left = static_cast<double>(random.below(static_cast<int64_t>(width - w) + 1));
      return at(left, static_cast<double>(random.below(static_cast<int64_t>(height - h) + 1)), w, h);
    }
    return middle(width, height);
  }

  const int64_t size_;
  const double min_area_;
};

class flip : public Transform {
 public:
  explicit flip(const Arguments& a) : probability_(a.number(0, 0, 1)) {}
  void apply(Image& image, Random* random) const override {
    if (!random || !random->chance(probability_)) return;
    const int64_t width = image.shape.width;
    for (uint8_t* row = image.pixels.data(); row != image.pixels.data() + image.pixels.size(); row += width)
      std::reverse(row, row + width);
  }

 private:
  const double probability_;
};

class vertical_flip : public Transform {
 public:
  explicit vertical_flip(const Arguments& a) : probability_(a.number(0, 0, 1)) {}
  void apply(Image& image, Random* random) const override {
    if (!random || !random->chance(probability_)) return;
    const int64_t height = image.shape.height, width = image.shape.width;
    for (int64_t c = 0; c < image.shape.channels; ++c)
      for (int64_t y = 0; y < height / 2; ++y)
        std::swap_ranges(image.row(c, y), image.row(c, y) + width, image.row(c, height - 1 - y));
  }

 private:
  const double probability_;
};

}  // namespace named
}  // namespace levin::images
#pragma GCC visibility pop
