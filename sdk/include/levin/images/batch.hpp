// The images of one batch in `fill` of a data module, transformed by a list and, in training, mixed:
//   std::vector<levin::Field> fields() { return {..., levin::images::target("y", transforms, class_names)}; }
//   levin::images::Batch batch(transforms, in);
//   for (int64_t i = 0; i < in.n; ++i) batch.add(image_of(in.indices[i]), label_of(in.indices[i]));
//   batch.mix();
//   ... write batch.images[i] ...
//   batch.write_targets(out[1].data, classes);
// With two views, for self-supervised pre-training (--model.task simclr), the fields are x, y and second_view, and
// batch.second holds the second view of each image.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "levin/data_module.hpp"
#include "levin/images/transforms.hpp"

#pragma GCC visibility push(hidden)
namespace levin::images {

// Returns the target of a data module with this list: class indices, or probabilities of the classes if it mixes.
inline Field target(const char* name, const Transforms& transforms, const std::vector<std::string>& class_names) {
  const auto classes = static_cast<int64_t>(class_names.size());
  return transforms.mixes() ? probabilities(name, classes, class_names) : levin::target(name, classes, class_names);
}

// The option of a data module that gives two views.
inline constexpr levin_option views_option = levin::integer(
    "views", "1", "random views of each image; 2 = a second one as field x2, for --model.task simclr", 1, 2);

// Throws Error if the list cannot give so many views.
inline void require_views(int64_t views, const Transforms& transforms) {
  if (views < 2) return;
  if (transforms.empty())
    throw Error(LEVIN_E_INVALID, "--data.views 2 needs --data.transforms, such as random_resized_crop:28:0.2, flip");
  if (transforms.mixes())
    throw Error(LEVIN_E_INVALID, "--data.views 2 may not be combined with mixup and cutmix in --data.transforms");
}
// Returns the field of the second view of this input.
inline Field second_view(Field input) {
  input.name += "2";
  input.role = LEVIN_ROLE_OTHER;
  return input;
}

class Batch {
 public:
  Batch(const Transforms& transforms, const Fill& in, int64_t views = 1)
      : transforms_(transforms), in_(in), views_(views) {
    images.reserve(static_cast<size_t>(in.n));
  }
  std::vector<Image> images;
  std::vector<Image> second;  // the second views; empty with one view

  // Adds the image of the next index, and transforms it. Two views are random in validation and test too, and then the
  // same in every epoch.
  void add(Image image, int64_t label) {
    const bool training = in_.split == Split::train;
    const bool is_random = training || (views_ > 1 && in_.split != Split::predict);
    const int64_t epoch = training ? in_.epoch : 0, index = in_.indices[images.size()];
    if (views_ > 1) {
      Random its_own(in_.seed, epoch, index, 1);
      second.push_back(image);
      transforms_.apply(second.back(), is_random ? &its_own : nullptr);
    }
    Random random(in_.seed, epoch, index);
    transforms_.apply(image, is_random ? &random : nullptr);
    images.push_back(std::move(image));
    labels_.push_back(label);
    randoms_.push_back(random);
    own_.push_back(1);
  }
  // Mixes each image of a training batch with the next one, and the last with the first.
  void mix() {
    if (!transforms_.mixes() || in_.split != Split::train || images.size() < 2) return;
    const Image first = images[0];
    for (size_t i = 0; i < images.size(); ++i)
      own_[i] = transforms_.mix(images[i], i + 1 < images.size() ? images[i + 1] : first, randoms_[i]);
  }
  // Writes what the field of target() describes.
  void write_targets(void* out, int64_t classes) const {
    if (!transforms_.mixes()) {
      std::copy(labels_.begin(), labels_.end(), static_cast<int64_t*>(out));
      return;
    }
    auto* row = static_cast<float*>(out);
    std::fill_n(row, static_cast<int64_t>(labels_.size()) * classes, 0.0f);
    for (size_t i = 0; i < labels_.size(); ++i, row += classes) {
      row[labels_[i]] += static_cast<float>(own_[i]);
      row[labels_[(i + 1) % labels_.size()]] += static_cast<float>(1 - own_[i]);
    }
  }

 private:
  const Transforms& transforms_;
  const Fill& in_;
  const int64_t views_;
  std::vector<int64_t> labels_;
  std::vector<Random> randoms_;
  std::vector<double> own_;  // weight of each image's own label
};

}  // namespace levin::images
#pragma GCC visibility pop
