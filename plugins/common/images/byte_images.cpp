#include "byte_images.hpp"

#include "channel_moments.hpp"

namespace common {

ByteImageModule::ByteImageModule(const levin::Args& o, int64_t repeats)
    : splitting_(o, "", Chosen::at_random, TestRows::apart),
      validate_on_test_(o.flag("validate_on_test")),
      mean_(o.is_null("mean") ? NAN : o.number("mean")),
      deviation_(o.is_null("std") ? NAN : o.number("std")),
      resize_(o.integer("resize")),
      pad_(o.integer("pad")),
      channels_(repeats),
      crop_(o.integer("crop")),
      flip_(o.flag("flip")),
      views_(o.integer("views")),
      transforms_(o.text("transforms")) {
  if (validate_on_test_) splitting_.refuse_beside("--data.validate_on_test");
  check_transforms(o);
}

void ByteImageModule::check_transforms(const levin::Args& o) const {
  levin::images::require_views(views_, transforms_);
  if (transforms_.empty()) return;
  const auto refuse = [](const std::string& option, const std::string& instead) {
    throw levin::Error(LEVIN_E_INVALID, "--data." + option + " may not be combined with --data.transforms: " + instead);
  };
  for (const char* option : {"resize", "pad"})
    if (o.integer(option) > 0) refuse(option, "put " + std::string(option) + ":N into the list");
  if (crop_ > 0) refuse("crop", "put random_crop:SIZE:" + std::to_string(crop_) + " into the list");
  if (flip_) refuse("flip", "put flip into the list");
  for (const char* option : {"mean", "std"})
    if (!transforms_.normalizes() && !o.is_null(option)) refuse(option, "put normalize at the end of the list");
}

void ByteImageModule::use(ByteImageSets sets) {
  sets_ = std::move(sets);
  const int64_t channels = sets_.shape.channels, n = sets_.train.rows();
  if (channels_ > 0 && channels > 1 && channels_ != channels)
    throw levin::Error(LEVIN_E_INVALID, "--data.channels " + std::to_string(channels_) + ": the images of " +
                                            sets_.name + " have " + std::to_string(channels) +
                                            " channels, and only grey ones can be repeated");
  repeats_ = channels_ > 0 && channels == 1 ? channels_ : 1;
  form_ = ImageForm(sets_.shape, resize_, pad_);
  shape_ = transforms_.after(form_.shape());
  const bool plain = !transforms_.empty() && !transforms_.normalizes();
  const auto given = [&](double option, double plain_value, const std::vector<double>& own) {
    if (plain) option = plain_value;
    return std::isnan(option) ? own : std::vector<double>(static_cast<size_t>(channels), option);
  };
  RowKeys classes;
  if (splitting_.stratifies()) classes = {{sets_.train.labels.begin(), sets_.train.labels.end()}, sets_.class_names};
  SplitRows rows = validate_on_test_ ? split_rows(n, 0, 0) : splitting_.split(n, classes);
  std::vector<double> mean = given(mean_, 0, sets_.mean), deviation = given(deviation_, 1, sets_.deviation);
  fill_in_moments(sets_.train.pixels, rows.train, sets_.shape, mean, deviation);
  numbers_ = PixelNumbers(mean, deviation);
  rows_ = std::move(rows);
}

std::vector<levin::Field> ByteImageModule::fields() {
  const levin::Field x = levin::input("x", levin::float32, {shape_.channels * repeats_, shape_.height, shape_.width});
  std::vector<levin::Field> fields = {x, levin::images::target("y", transforms_, sets_.class_names)};
  if (views_ > 1) fields.push_back(levin::images::second_view(x));
  return fields;
}

int64_t ByteImageModule::rows(levin::Split split) {
  if (!in_train_set(split)) return sets_.test.rows();
  return static_cast<int64_t>((split == levin::Split::train ? rows_.train : rows_.val).size());
}

size_t ByteImageModule::row_of(levin::Split split, int64_t index) {
  const int64_t n = rows(split);
  if (index < 0 || index >= n)
    throw levin::Error(LEVIN_E_INVALID, "there is no row " + std::to_string(index) + " of " + std::to_string(n));
  const auto row = static_cast<size_t>(index);
  if (!in_train_set(split)) return row;
  return (split == levin::Split::train ? rows_.train : rows_.val)[row];
}

template <class T>
void ByteImageModule::write(const uint8_t* image, const Placement& placement, T* out) const {
  write_placed(image, shape_, numbers_.table<T>(), placement, out);
  for (int64_t r = 1; r < repeats_; ++r) std::copy_n(out, shape_.size(), out + r * shape_.size());
}

void ByteImageModule::fill_transformed(const levin::Fill& in, const ByteImages& set, const levin_view* out) {
  levin::images::Batch batch(transforms_, in, views_);
  for (int64_t i = 0; i < in.n; ++i) {
    const size_t row = row_of(in.split, in.indices[i]);
    levin::images::Image image(sets_.shape);
    std::copy_n(set.pixels.data() + row * image.pixels.size(), image.pixels.size(), image.pixels.data());
    batch.add(std::move(image), set.labels[row]);
  }
  batch.mix();
  const auto write_all = [&](const std::vector<levin::images::Image>& images, const levin_view& view) {
    write_pixels(view, [&](auto* x) {
      for (const levin::images::Image& image : images) {
        write(image.pixels.data(), Placement{}, x);
        x += shape_.size() * repeats_;
      }
    });
  };
  write_all(batch.images, out[0]);
  if (views_ > 1) write_all(batch.second, out[2]);
  batch.write_targets(out[1].data, static_cast<int64_t>(sets_.class_names.size()));
}

void ByteImageModule::fill(const levin::Fill& in, const levin_view* out) {
  const ByteImages& set = in_train_set(in.split) ? sets_.train : sets_.test;
  if (!transforms_.empty()) return fill_transformed(in, set, out);
  write_pixels(out[0], [&](auto* x) { fill_plain(in, set, x, static_cast<int64_t*>(out[1].data)); });
}

template <class T>
void ByteImageModule::fill_plain(const levin::Fill& in, const ByteImages& set, T* x, int64_t* y) {
  const bool augment = in.split == levin::Split::train && (crop_ > 0 || flip_);
  const auto size = static_cast<size_t>(sets_.shape.size());
  std::vector<uint8_t> formed;
  size_t row = in.n > 0 ? row_of(in.split, in.indices[0]) : 0, next = row;
  for (int64_t i = 0; i < in.n; ++i, row = next, x += shape_.size() * repeats_) {
    if (i + 1 < in.n) next = row_of(in.split, in.indices[i + 1]);
    prefetch(set.pixels.data() + next * size, size);
    y[i] = set.labels[row];
    const uint8_t* image = form_.apply(set.pixels.data() + row * size, formed);
    write(image, augment ? draw_placement(in.seed, in.epoch, in.indices[i], crop_, flip_) : Placement{}, x);
  }
}

}  // namespace common
