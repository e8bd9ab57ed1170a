#include "image_form.hpp"

#include <algorithm>
#include <cmath>

namespace mnist {
namespace {

constexpr int precision = 22;

uint8_t to_byte(int64_t sum) { return static_cast<uint8_t>(std::clamp<int64_t>(sum >> precision, 0, 255)); }

// The weighted sum of pixels that are `step` apart.
uint8_t tap(const Taps& taps, const uint8_t* line, int64_t step) {
  int64_t sum = int64_t{1} << (precision - 1);
  const uint8_t* pixel = line + taps.first * step;
  for (const int32_t weight : taps.weights) {
    sum += static_cast<int64_t>(weight) * *pixel;
    pixel += step;
  }
  return to_byte(sum);
}

}  // namespace

std::vector<Taps> bilinear_taps(int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to), support = std::max(1.0, scale);
  std::vector<Taps> out;
  for (int64_t i = 0; i < to; ++i) {
    const double center = (static_cast<double>(i) + 0.5) * scale;
    const int64_t first = std::max<int64_t>(0, static_cast<int64_t>(center - support + 0.5));
    const int64_t end = std::min<int64_t>(from, static_cast<int64_t>(center + support + 0.5));
    std::vector<double> weights;
    double sum = 0;
    for (int64_t k = first; k < end; ++k) {
      weights.push_back(std::max(0.0, 1 - std::abs((static_cast<double>(k) - center + 0.5) / support)));
      sum += weights.back();
    }
    out.push_back({first, {}});
    for (const double weight : weights)
      out.back().weights.push_back(static_cast<int32_t>(0.5 + weight / sum * (1 << precision)));
  }
  return out;
}

ImageForm::ImageForm(const ImageShape& file, int64_t resize, int64_t pad) : file_(file), shape_(file), pad_(pad) {
  if (resize > 0) {
    rows_ = bilinear_taps(file.height, resize);
    columns_ = bilinear_taps(file.width, resize);
    shape_.height = shape_.width = resize;
  }
  shape_.height += 2 * pad;
  shape_.width += 2 * pad;
}

const uint8_t* ImageForm::apply(const uint8_t* image, std::vector<uint8_t>& out) const {
  if (!changes()) return image;
  out.assign(static_cast<size_t>(shape_.size()), 0);
  for (int64_t c = 0; c < shape_.channels; ++c) {
    const uint8_t* plane = image + c * file_.height * file_.width;
    uint8_t* corner = out.data() + (c * shape_.height + pad_) * shape_.width + pad_;
    if (!rows_.empty()) {
      scale(plane, corner, shape_.width);
      continue;
    }
    for (int64_t y = 0; y < file_.height; ++y)
      std::copy_n(plane + y * file_.width, file_.width, corner + y * shape_.width);
  }
  return out.data();
}

// First along the lines, then across them, with bytes in between, as in Pillow.
void ImageForm::scale(const uint8_t* plane, uint8_t* out, int64_t stride) const {
  const auto width = static_cast<int64_t>(columns_.size());
  std::vector<uint8_t> lines(static_cast<size_t>(file_.height * width));
  for (int64_t y = 0; y < file_.height; ++y)
    for (int64_t x = 0; x < width; ++x)
      lines[static_cast<size_t>(y * width + x)] = tap(columns_[static_cast<size_t>(x)], plane + y * file_.width, 1);
  for (size_t y = 0; y < rows_.size(); ++y)
    for (int64_t x = 0; x < width; ++x)
      out[static_cast<int64_t>(y) * stride + x] = tap(rows_[y], lines.data() + x, width);
}

}  // namespace mnist
