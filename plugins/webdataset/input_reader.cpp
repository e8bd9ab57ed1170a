#include "input_reader.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "../common/pictures/corrupt_images.hpp"

namespace webdataset {
namespace {

// Calls work(), and puts the sample's place before its errors.
template <class Work>
auto named(const SampleSet& set, const Sample& sample, Work work) {
  try {
    return work();
  } catch (const levin::Error& e) {
    throw levin::Error(e.status(), set.place(sample) + ": " + e.what());
  }
}

}  // namespace

InputReader::InputReader(const levin::Args& o)
    : ending(o.text("input")),
      transforms_list_(o.text("transforms")),
      transforms_(transforms_list_),
      pictures_(o, transforms_list_.empty() || transforms_.normalizes()) {}

void InputReader::learn_shape(const SampleSet& set, const Sample& sample) {
  if (reads_arrays()) {
    if (!transforms_list_.empty())
      throw levin::Error(LEVIN_E_INVALID, "--data.transforms is for images, and ." + ending + " members are arrays");
    named(set, sample, [&] { decode_array(set.input(sample), shape); });
    return;
  }
  levin::images::Shape image = transforms_.after({pictures_.channels, 0, 0});
  if (image.height == 0 || image.width == 0)
    image = transforms_.after(named(set, sample, [&] { return decode_image(set.input(sample), pictures_).shape; }));
  shape = {image.channels, image.height, image.width};
}

void InputReader::check(const SampleSet& set, const Sample& sample) const {
  if (reads_arrays()) return void(array(set, sample));
  named(set, sample, [&] {
    levin::images::Image image = decode_image(set.input(sample), pictures_);
    transforms_.apply(image, nullptr);
    check_size(image);
  });
}

void InputReader::fill_arrays(const Rows& rows, const levin_view& x) const {
  auto* out = static_cast<float*>(x.data);
  for (int64_t i = 0; i < rows.in.n; ++i) {
    const std::vector<float> numbers = array(rows.set, rows.sample(i));
    out = std::copy(numbers.begin(), numbers.end(), out);
  }
}

levin::images::Batch InputReader::fill_images(const Rows& rows, const std::function<int64_t(int64_t)>& label,
                                              const levin_view& x) const {
  levin::images::Batch batch(transforms_, rows.in);
  for (int64_t i = 0; i < rows.in.n; ++i) {
    const Sample& sample = rows.sample(i);
    common::with_advice([&] {
      named(rows.set, sample, [&] {
        batch.add(decode_image(rows.set.input(sample), pictures_), label(i));
        check_size(batch.images.back());
      });
    });
  }
  batch.mix();
  common::write_pixels(x, [&](auto* out) {
    for (const levin::images::Image& image : batch.images) {
      pictures_.write(image, out);
      out += size();
    }
  });
  return batch;
}

std::vector<float> InputReader::array(const SampleSet& set, const Sample& sample) const {
  return named(set, sample, [&] {
    std::vector<int64_t> expected = shape;
    return decode_array(set.input(sample), expected);
  });
}

void InputReader::check_size(const levin::images::Image& image) const {
  if (image.shape.height == shape[1] && image.shape.width == shape[2]) return;
  throw levin::Error(LEVIN_E_IO, "has " + std::to_string(image.shape.height) + " x " +
                                     std::to_string(image.shape.width) +
                                     " pixels, and the first sample has others: put resize:HEIGHT:WIDTH into "
                                     "--data.transforms");
}

int64_t InputReader::size() const {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

}  // namespace webdataset
