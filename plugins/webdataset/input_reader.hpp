// Reads the inputs of samples for batches: images, which are transformed, and arrays.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "levin/images/batch.hpp"
#include "levin/levin.hpp"
#include "samples.hpp"

namespace webdataset {

class InputReader {
 public:
  explicit InputReader(const levin::Args& o);

  std::string ending;          // of the members that are inputs, such as "jpg"; "auto" = not yet known
  std::vector<int64_t> shape;  // of an input: channels, height, width of an image; empty = not yet known

  bool reads_arrays() const { return is_array(ending); }
  bool mixes() const { return transforms_.mixes(); }
  levin::ByteScale byte_scale() const { return reads_arrays() ? levin::ByteScale{} : pictures_.numbers.scale(); }
  // The errors of these begin with the sample's place.
  void learn_shape(const SampleSet& set, const Sample& sample);
  void check(const SampleSet& set, const Sample& sample) const;  // reads the input as outside training

  struct Rows {
    const levin::Fill& in;
    const SampleSet& set;
    std::function<const Sample&(int64_t)> sample;  // of a row of the batch
  };
  void fill_arrays(const Rows& rows, const levin_view& x) const;
  // label: returns the class of a row of the batch. Returns the batch, which must not outlive `rows.in`, for its
  // targets.
  levin::images::Batch fill_images(const Rows& rows, const std::function<int64_t(int64_t)>& label,
                                   const levin_view& x) const;

 private:
  std::vector<float> array(const SampleSet& set, const Sample& sample) const;
  void check_size(const levin::images::Image& image) const;
  int64_t size() const;  // numbers of an input

  const std::string transforms_list_;
  const levin::images::Transforms transforms_;
  const common::PictureOptions pictures_;
};

}  // namespace webdataset
