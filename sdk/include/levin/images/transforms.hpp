// Transforms of images from a list such as "random_crop:32:4, flip, normalize", for data modules:
//   const levin::images::Transforms transforms(o.text("transforms"));      throws Error for a list that is not right
//   levin::Random random(in.seed, in.epoch, in.indices[i]);
//   transforms.apply(image, in.split == levin::Split::train ? &random : nullptr);
// The result depends on the list, the image and the random numbers alone, not on batches or workers. Only mixup and
// cutmix also depend on the next image of the batch.
#pragma once
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/images/augment.hpp"
#include "levin/images/colour.hpp"
#include "levin/images/damage.hpp"
#include "levin/images/geometry.hpp"
#include "levin/images/mix.hpp"
#include "levin/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// The option of a data module that takes such a list. deflt: "\"resize:256:256\"".
constexpr levin_option transforms_by_default(const char* deflt) {
  return levin::text(
      "transforms", deflt,
      "transforms of the images, such as random_crop:32:4, flip, normalize; host help transforms lists them");
}
inline constexpr levin_option transforms_option = transforms_by_default("\"\"");

namespace detail_of_transforms {

// One element of a list: a transform of images, or of batches. Neither: normalize.
struct Step {
  std::shared_ptr<const Transform> transform;
  std::shared_ptr<const Mix> mix;
  bool moves = false;  // moves pixels, of masks too
};
template <class T, bool moves>
Step make(const Arguments& arguments) {
  if constexpr (std::is_base_of_v<Mix, T>)
    return {nullptr, std::make_shared<const T>(arguments), false};
  else
    return {std::make_shared<const T>(arguments), nullptr, moves};
}
inline Step make_nothing(const Arguments&) { return {}; }

struct Maker {
  TransformRow row;
  Step (*make)(const Arguments&);
};

// A row without a struct of its name does not compile.
inline const std::vector<Maker>& makers() {
#define LEVIN_MOVING(name, arguments, summary) {{#name, arguments, summary}, make<named::name, true>},
#define LEVIN_STILL(name, arguments, summary) {{#name, arguments, summary}, make<named::name, false>},
#define LEVIN_WITHOUT_STRUCT(name, arguments, summary) {{#name, arguments, summary}, make_nothing},
  static const std::vector<Maker> all = {
      LEVIN_GEOMETRY_TRANSFORMS(LEVIN_MOVING) LEVIN_WARP_TRANSFORMS(LEVIN_MOVING) LEVIN_COLOUR_TRANSFORMS(LEVIN_STILL)
          LEVIN_DAMAGE_TRANSFORMS(LEVIN_STILL) LEVIN_AUGMENT_TRANSFORMS(LEVIN_MOVING) LEVIN_MIX_TRANSFORMS(LEVIN_STILL)
              LEVIN_NORMALIZE_TRANSFORM(LEVIN_WITHOUT_STRUCT)};
#undef LEVIN_MOVING
#undef LEVIN_STILL
#undef LEVIN_WITHOUT_STRUCT
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
  // Throws Error for names and arguments that are not in the table, and for a wrong order: mixup and cutmix stand
  // behind the transforms of single images, and normalize is the last.
  explicit Transforms(const std::string& list) {
    for (std::string text : parts_of(list, ',')) {
      text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }),
                 text.end());
      if (text.empty()) continue;
      if (normalizes_) throw Error(LEVIN_E_INVALID, "transform '" + text + "': it has to stand before normalize");
      const detail_of_transforms::Maker& maker = detail_of_transforms::maker_of(text.substr(0, text.find(':')));
      add(maker.make(Arguments(maker.row, text)), text);
    }
  }

  bool empty() const { return steps_.empty() && mixes_.empty() && !normalizes_; }
  // Returns true if the list ends with normalize, which the data module does as it makes numbers of the bytes.
  bool normalizes() const { return normalizes_; }
  // Returns the shape of the results, of which 0 is a height or width that differs from image to image. Throws Error
  // for images that are too small.
  Shape after(Shape shape) const {
    for (const Step& step : steps_) shape = step.transform->after(shape);
    return shape;
  }
  // Returns the one shape of the results of images of any size. Throws Error if there is none. list: for the message.
  Shape after_any(int64_t channels, const std::string& list) const {
    const Shape shape = after({channels, 0, 0});
    if (shape.height > 0 && shape.width > 0) return shape;
    throw Error(
        LEVIN_E_INVALID,
        "--data.transforms " + list +
            " leaves images of different sizes as they are, and a batch needs one size: put resize:HEIGHT:WIDTH, "
            "center_crop:SIZE, random_crop:SIZE or random_resized_crop:SIZE into the list");
  }
  // random: the numbers of this image in this epoch; nullptr outside training, where nothing is random. Thread-safe.
  void apply(Image& image, Random* random) const {
    for (const Step& step : steps_) step.transform->apply(image, random);
  }
  // The same with a mask of the same height and width, whose pixels stay with those of the image.
  void apply(Image& image, Image& mask, Random* random) const {
    for (const Step& step : steps_) {
      Random again = random ? *random : Random(0);
      step.transform->apply(image, random);
      if (step.moves) step.transform->apply(mask, random ? &again : nullptr);
    }
  }
  // Returns how many times smaller, on each side, the first transform makes an image of this shape at least; 1 = it may
  // need every pixel. A JPEG may be decoded smaller by about as much.
  double reduction(const Shape& shape) const { return steps_.empty() ? 1 : steps_[0].transform->reduction(shape); }

  // Returns true if the list has mixup or cutmix (levin/images/batch.hpp).
  bool mixes() const { return !mixes_.empty(); }
  // Mixes one of a training batch with another image of the same shape, by one of the list's ways at random. Returns
  // the weight of the image's own class; the rest is the weight of the other's.
  double mix(Image& image, const Image& other, Random& random) const {
    return mixes_[static_cast<size_t>(random.below(static_cast<int64_t>(mixes_.size())))]->apply(image, other, random);
  }

 private:
  using Step = detail_of_transforms::Step;
  void add(Step step, const std::string& text) {
    if (step.transform && mixes())
      throw Error(LEVIN_E_INVALID, "transform '" + text + "': it has to stand before mixup and cutmix");
    if (step.transform)
      steps_.push_back(std::move(step));
    else if (step.mix)
      mixes_.push_back(std::move(step.mix));
    else
      normalizes_ = true;
  }

  std::vector<Step> steps_;
  std::vector<std::shared_ptr<const Mix>> mixes_;
  bool normalizes_ = false;
};

}  // namespace levin::images
#pragma GCC visibility pop
