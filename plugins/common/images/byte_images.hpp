// The base of data modules of images of equal size that are held in memory as bytes, and become numbers when a row is
// read. The derived class reads the files in setup and passes them to `use`.
#pragma once
#include <cmath>

#include "../pixel_numbers.hpp"
#include "../split_options.hpp"
#include "image_form.hpp"
#include "levin/data_module.hpp"
#include "levin/images/batch.hpp"

namespace common {

struct ByteImages {
  std::vector<uint8_t> pixels, labels;  // pixels: [row][channel][y][x]
  int64_t rows() const { return static_cast<int64_t>(labels.size()); }
};

struct ByteImageSets {
  std::string name;  // folder or file, for messages
  ImageShape shape{};
  std::vector<std::string> class_names;  // one per class
  ByteImages train, test;                // test: may be empty
  // Used for each channel if the options give none; NaN = computed from the training rows.
  std::vector<double> mean = std::vector<double>(static_cast<size_t>(shape.channels), NAN), deviation = mean;
};

// The options of every module of such images.
inline constexpr levin_option byte_image_own[] = {
    levin::flag("validate_on_test", "false", "validate on the test set, so that all training rows train"),
    levin::with(
        levin::number("mean", "null", "mean to subtract from pixels in 0..1; null = mean of each channel", -1e3, 1e3),
        LEVIN_OPT_NULLABLE),
    levin::with(
        levin::number("std", "null", "standard deviation to divide by; null = deviation of each channel", 1e-6, 1e3),
        LEVIN_OPT_NULLABLE),
    levin::integer("resize", "0", "height and width to which images are scaled; 0 = as in the files", 0, 4096),
    levin::integer("pad", "0", "zeros on each side of an image, after resize", 0, 1024),
    levin::with(levin::integer("crop", "0", "random crop of training images, by up to N pixels of padding", 0, 64),
                LEVIN_OPT_TUNABLE),
    levin::flag("flip", "false", "flip training images horizontally at random"),
    levin::images::transforms_option,
    levin::images::views_option};
inline constexpr auto byte_image_options = joined(byte_image_own, val_options);

class ByteImageModule : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;
  static constexpr uint64_t flags = LEVIN_F_ISOLATABLE;

  std::vector<levin::Field> fields();
  int64_t rows(levin::Split split);
  void fill(const levin::Fill& in, const levin_view* out);
  levin::ByteScale byte_scale(int64_t field) { return field == 0 ? numbers_.scale() : levin::ByteScale{}; }

 protected:
  // Reads the options of byte_image_options. repeats: number of channels into which a grey image is
  // repeated; 0 = 1.
  explicit ByteImageModule(const levin::Args& options, int64_t repeats = 0);
  bool is_set_up() const { return !rows_.train.empty(); }
  void use(ByteImageSets sets);

 private:
  // Throws levin::Error for options that transforms replace.
  void check_transforms(const levin::Args& options) const;
  // Returns the row of a set that the index of a split stands for. Throws levin::Error if there is none.
  size_t row_of(levin::Split split, int64_t index);
  template <class T>
  void fill_plain(const levin::Fill& in, const ByteImages& set, T* x, int64_t* y);
  void fill_transformed(const levin::Fill& in, const ByteImages& set, const levin_view* out);
  // Writes an image, and the copies of its channel.
  template <class T>
  void write(const uint8_t* image, const Placement& placement, T* out) const;
  bool in_train_set(levin::Split split) const {
    return split == levin::Split::train || (split == levin::Split::val && !validate_on_test_);
  }

  const Splitting splitting_;
  const bool validate_on_test_;
  const double mean_, deviation_;  // NaN = those of the sets
  const int64_t resize_, pad_, channels_, crop_;
  const bool flip_;
  const int64_t views_;
  const levin::images::Transforms transforms_;  // in place of resize_, pad_, crop_ and flip_

  ByteImageSets sets_;
  ImageForm form_;
  ImageShape shape_{};   // shape after form_ and transforms_
  int64_t repeats_ = 1;  // number of copies of each image, as additional channels
  SplitRows rows_;
  PixelNumbers numbers_;
};

}  // namespace common
