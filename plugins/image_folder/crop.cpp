#include "crop.hpp"

#include <cmath>

namespace image_folder {
namespace {

Box box_at(const Size& picture, double width, double height, double x, double y) {
  const double left = (static_cast<double>(picture.width) - width) * x,
               top = (static_cast<double>(picture.height) - height) * y;
  return {static_cast<float>(left), static_cast<float>(top), static_cast<float>(left + width),
          static_cast<float>(top + height)};
}

}  // namespace

Box cropped(const Size& picture, const Size& result, bool stretch, double pct, double x, double y) {
  double width = static_cast<double>(picture.width) * pct, height = static_cast<double>(picture.height) * pct;
  const double shape = static_cast<double>(result.width) / static_cast<double>(result.height);
  if (!stretch && width / height > shape)
    width = height * shape;
  else if (!stretch)
    height = width / shape;
  return box_at(picture, width, height, x, y);
}

Box random_part(const Size& picture, const Size& result, double min_area, Random& random) {
  const double all = static_cast<double>(picture.width) * static_cast<double>(picture.height);
  const double shape = static_cast<double>(result.width) / static_cast<double>(result.height);
  for (int i = 0; i < 10; ++i) {
    const double area = all * (min_area + (1 - min_area) * random());
    const double ratio = shape * std::exp(std::log(3.0 / 4) + std::log(16.0 / 9) * random());
    const double width = std::sqrt(area * ratio), height = std::sqrt(area / ratio), x = random(), y = random();
    if (width <= static_cast<double>(picture.width) && height <= static_cast<double>(picture.height))
      return box_at(picture, width, height, x, y);
  }
  return cropped(picture, result, false, 1, 0.5, 0.5);
}

}  // namespace image_folder
