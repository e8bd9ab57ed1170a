// Transforms of images from a list such as "random_crop:32:4, flip, normalize", for data modules:
//   const levin::images::Transforms transforms(o.text("transforms"));      throws Error for a list that is not right
//   levin::Random random(in.seed, in.epoch, in.indices[i]);
//   transforms.apply(image, in.split == levin::Split::train ? &random : nullptr);
// The result depends on the list, the image and the random numbers alone, not on batches or workers.
#pragma once
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/images/augment.hpp"
#include "levin/images/colour.hpp"
#include "levin/images/damage.hpp"
#include "levin/images/geometry.hpp"
#include "levin/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// The option of a data module that takes such a list.
inline constexpr levin_option transforms_option =
    levin::text("transforms", "\"\"",
                "transforms of the images, such as random_crop:32:4, flip, normalize; host help transforms lists them");

namespace detail_of_transforms {

using Made = std::shared_ptr<const Transform>;
template <class T>
Made make(const Arguments& arguments) {
  return std::make_shared<const T>(arguments);
}

struct Maker {
  TransformRow row;
  Made (*make)(const Arguments&);
};

// A row without a struct of its name does not compile.
inline const std::vector<Maker>& makers() {
#define LEVIN_TRANSFORM_MAKER(name, arguments, summary) {{#name, arguments, summary}, make<named::name>},
#define LEVIN_TRANSFORM_WITHOUT_MAKER(name, arguments, summary) {{#name, arguments, summary}, nullptr},
  static const std::vector<Maker> all = {
      LEVIN_GEOMETRY_TRANSFORMS(LEVIN_TRANSFORM_MAKER) LEVIN_WARP_TRANSFORMS(LEVIN_TRANSFORM_MAKER)
          LEVIN_COLOUR_TRANSFORMS(LEVIN_TRANSFORM_MAKER) LEVIN_DAMAGE_TRANSFORMS(LEVIN_TRANSFORM_MAKER)
              LEVIN_AUGMENT_TRANSFORMS(LEVIN_TRANSFORM_MAKER) LEVIN_NORMALIZE_TRANSFORM(LEVIN_TRANSFORM_WITHOUT_MAKER)};
#undef LEVIN_TRANSFORM_MAKER
#undef LEVIN_TRANSFORM_WITHOUT_MAKER
  return all;
}

inline const Maker& maker_of(const std::string& name) {
  const Maker* nearest = nullptr;
  for (const Maker& maker : makers()) {
    if (name == maker.row.name) return maker;
    if (!nearest || letters_apart(name, maker.row.name) < letters_apart(name, nearest->row.name)) nearest = &maker;
  }
  const bool near = letters_apart(name, nearest->row.name) <= 1 + name.size() / 3;
  throw Error(LEVIN_E_INVALID, "there is no transform '" + name + "'" +
                                   (near ? "; did you mean '" + std::string(nearest->row.name) + "'?" : "") +
                                   " (host help transforms lists them)");
}

}  // namespace detail_of_transforms

class Transforms {
 public:
  // Throws Error for names and arguments that are not in the table, and for a normalize that is not the last.
  explicit Transforms(const std::string& list) {
    for (std::string text : parts_of(list, ',')) {
      text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
                 text.end());
      if (text.empty()) continue;
      if (normalizes_) throw Error(LEVIN_E_INVALID, "transform '" + text + "': it has to stand before normalize");
      const detail_of_transforms::Maker& maker = detail_of_transforms::maker_of(text.substr(0, text.find(':')));
      const Arguments arguments(maker.row, text);
      if (maker.make)
        steps_.push_back(maker.make(arguments));
      else
        normalizes_ = true;
    }
  }

  bool empty() const { return steps_.empty() && !normalizes_; }
  // Returns true if the list ends with normalize, which the data module does as it makes numbers of the bytes.
  bool normalizes() const { return normalizes_; }
  // Returns the shape of the results, of which 0 is a height or width that differs from image to image. Throws Error
  // for images that are too small.
  Shape after(Shape shape) const {
    for (const auto& step : steps_) shape = step->after(shape);
    return shape;
  }
  // random: the numbers of this image in this epoch; nullptr outside training, where nothing is random. Thread-safe.
  void apply(Image& image, Random* random) const {
    for (const auto& step : steps_) step->apply(image, random);
  }

 private:
  std::vector<detail_of_transforms::Made> steps_;
  bool normalizes_ = false;
};

}  // namespace levin::images
#pragma GCC visibility pop
