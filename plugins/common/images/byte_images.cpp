#include "byte_images.hpp"

#include "pixel_table.hpp"

namespace common {

ByteImageModule::ByteImageModule(const levin::Args& o, int64_t repeats)
    : splitting_(o),
      validate_on_test_(o.flag("validate_on_test")),
      mean_(o.is_null("mean") ? NAN : o.number("mean")),
      deviation_(o.is_null("std") ? NAN : o.number("std")),
      resize_(o.integer("resize")),
      pad_(o.integer("pad")),
      channels_(repeats),
      crop_(o.integer("crop")),
      flip_(o.flag("flip")),
      transforms_(o.text("transforms")) {
  if (validate_on_test_) splitting_.refuse_beside("--data.validate_on_test");
  check_transforms(o);
}

void ByteImageModule::check_transforms(const levin::Args& o) const {
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
  table_ = pixel_table(sets_.train.pixels, rows.train, sets_.shape, given(mean_, 0, sets_.mean),
                       given(deviation_, 1, sets_.deviation));
  rows_ = std::move(rows);
}

std::vector<levin::Field> ByteImageModule::fields() {
  return {levin::input("x", levin::float32, {shape_.channels * repeats_, shape_.height, shape_.width}),
          levin::target("y", static_cast<int64_t>(sets_.class_names.size()), sets_.class_names)};
}

int64_t ByteImageModule::rows(levin::Split split) {
  if (!in_train_set(split)) return sets_.test.rows();
  return static_cast<int64_t>((split == levin::Split::train ? rows_.train : rows_.val).size());
}

void ByteImageModule::write_transformed(const uint8_t* image, levin::Random* random, float* out) const {
  levin::images::Image changed(sets_.shape);
  std::copy_n(image, sets_.shape.size(), changed.pixels.data());
  transforms_.apply(changed, random);
  write_placed(changed.pixels.data(), shape_, table_.data(), Placement{}, out);
}

void ByteImageModule::fill(const levin::Fill& in, const levin_view* out) {
  float* x = static_cast<float*>(out[0].data);
  int64_t* y = static_cast<int64_t*>(out[1].data);
  const bool of_train = in.split == levin::Split::train, in_train = in_train_set(in.split);
  const ByteImages& set = in_train ? sets_.train : sets_.test;
  const int64_t n = rows(in.split), size = shape_.size();
  const bool augment = of_train && (crop_ > 0 || flip_);
  std::vector<uint8_t> formed;
  for (int64_t i = 0; i < in.n; ++i, x += size * repeats_) {
    if (in.indices[i] < 0 || in.indices[i] >= n)
      throw levin::Error(LEVIN_E_INVALID,
                         "there is no row " + std::to_string(in.indices[i]) + " of " + std::to_string(n));
    const auto index = static_cast<size_t>(in.indices[i]);
    const size_t row = in_train ? (of_train ? rows_.train : rows_.val)[index] : index;
    const uint8_t* image = form_.apply(set.pixels.data() + row * static_cast<size_t>(sets_.shape.size()), formed);
    y[i] = set.labels[row];
    if (transforms_.empty()) {
      const Placement placed = augment ? draw_placement(in.seed, in.epoch, in.indices[i], crop_, flip_) : Placement{};
      write_placed(image, shape_, table_.data(), placed, x);
    } else {
      levin::Random random(in.seed, in.epoch, in.indices[i]);
      write_transformed(image, of_train ? &random : nullptr, x);
    }
    for (int64_t r = 1; r < repeats_; ++r) std::copy_n(x, size, x + r * size);
  }
}

}  // namespace common
