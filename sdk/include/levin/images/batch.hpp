// The images of one batch in `fill` of a data module, transformed by a list and, in training, mixed:
//   std::vector<levin::Field> fields() { return {..., levin::images::target("y", transforms, class_names)}; }
//   levin::images::Batch batch(transforms, in);
//   for (int64_t i = 0; i < in.n; ++i) batch.add(image_of(in.indices[i]), label_of(in.indices[i]));
//   batch.mix();
//   ... write batch.images[i] ...
//   batch.write_targets(out[1].data, classes);
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

class Batch {
 public:
  Batch(const Transforms& transforms, const Fill& in) : transforms_(transforms), in_(in) {
    images.reserve(static_cast<size_t>(in.n));
  }
  std::vector<Image> images;

  // Adds the image of the next index, and transforms it.
  void add(Image image, int64_t label) {
    const bool training = in_.split == Split::train;
    Random random(in_.seed, in_.epoch, in_.indices[images.size()]);
    transforms_.apply(image, training ? &random : nullptr);
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
  std::vector<int64_t> labels_;
  std::vector<Random> randoms_;
  std::vector<double> own_;  // weight of each image's own label
};

}  // namespace levin::images
#pragma GCC visibility pop
