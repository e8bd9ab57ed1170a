#include <algorithm>
#include <cmath>

#include "../common/split_options.hpp"
#include "augment.hpp"
#include "dataset_folder.hpp"
#include "image_form.hpp"
#include "image_set.hpp"
#include "levin/levin.hpp"
#include "pixel_table.hpp"

namespace mnist {

class Mnist : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;
  static constexpr uint64_t flags = LEVIN_F_ISOLATABLE;
  static constexpr levin_option options[] = {
      levin::path("dir", "\"\"",
                  "folder of the IDX files; empty = Debian's Fashion-MNIST, then the user's data folders"),
      levin::text("prefix", "\"\"", "prefix of the file names, if the folder holds several sets"),
      common::SplitOptions::val_fraction,
      common::SplitOptions::val_rows,
      common::SplitOptions::split_seed,
      common::SplitOptions::folds,
      common::SplitOptions::fold,
      levin::flag("validate_on_test", "false", "validate on the test set, so that all training rows train"),
      levin::with(
          levin::number("mean", "null", "mean to subtract from pixels in 0..1; null = mean of each channel", -1e3, 1e3),
          LEVIN_OPT_NULLABLE),
      levin::with(
          levin::number("std", "null", "standard deviation to divide by; null = deviation of each channel", 1e-6, 1e3),
          LEVIN_OPT_NULLABLE),
      levin::integer("resize", "0", "height and width to which images are scaled; 0 = as in the files", 0, 4096),
      levin::integer("pad", "0", "zeros on each side of an image, after resize", 0, 1024),
      levin::integer("channels", "0", "number of channels into which a grey image is repeated; 0 = 1", 0, 64),
      levin::with(levin::integer("crop", "0", "random crop of training images, by up to N pixels of padding", 0, 64),
                  LEVIN_OPT_TUNABLE),
      levin::flag("flip", "false", "flip training images horizontally at random")};

  explicit Mnist(const levin::Args& o)
      : dir_(o.text("dir")),
        prefix_(o.text("prefix")),
        splitting_(o),
        validate_on_test_(o.flag("validate_on_test")),
        mean_(o.is_null("mean") ? NAN : o.number("mean")),
        std_(o.is_null("std") ? NAN : o.number("std")),
        resize_(o.integer("resize")),
        pad_(o.integer("pad")),
        channels_(o.integer("channels")),
        crop_(o.integer("crop")),
        flip_(o.flag("flip")) {
    if (validate_on_test_) splitting_.refuse_beside("--data.validate_on_test");
  }

  void setup() {
    if (!rows_.train.empty()) return;
    const DatasetFiles files = find_dataset(dir_, prefix_);
    train_ = read_images(files.train_images, files.train_labels);
    if (!files.test_images.empty()) test_ = read_images(files.test_images, files.test_labels);
    check_test(files);
    folder_ = files.folder;
    const std::vector<int64_t>& s = train_.pixels.shape;
    file_shape_ = s.size() == 3 ? ImageShape{1, s[1], s[2]} : ImageShape{s[1], s[2], s[3]};
    set_form(files.train_images);
    for (const std::string& remark : label_remarks(train_, test_, files.train_labels, files.test_labels)) warn(remark);
    classes_ = 1 + *std::max_element(train_.labels.data.begin(), train_.labels.data.end());
    for (uint8_t label : test_.labels.data) classes_ = std::max<int64_t>(classes_, label + 1);
    const int64_t n = train_.labels.rows();
    rows_ = validate_on_test_ ? common::split_rows(n, 0, 0) : splitting_.split(n);
    table_ = pixel_table(train_.pixels, rows_.train, file_shape_, mean_, std_);
    info("data from " + folder_);
  }

  std::vector<levin::Field> fields() {
    return {levin::input("x", levin::float32, {shape_.channels * repeats_, shape_.height, shape_.width}),
            levin::target("y", classes_, class_names(folder_, classes_))};
  }
  int64_t rows(levin::Split split) {
    if (split == levin::Split::train) return static_cast<int64_t>(rows_.train.size());
    if (split == levin::Split::val && !validate_on_test_) return static_cast<int64_t>(rows_.val.size());
    return static_cast<int64_t>(test_.labels.data.size());
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    float* x = static_cast<float*>(out[0].data);
    int64_t* y = static_cast<int64_t*>(out[1].data);
    const bool of_train = in.split == levin::Split::train, of_val = in.split == levin::Split::val && !validate_on_test_;
    const Images& set = of_train || of_val ? train_ : test_;
    const std::vector<uint32_t>& order = of_train ? rows_.train : rows_.val;
    const int64_t n = rows(in.split), size = shape_.size();
    const bool augment = of_train && (crop_ > 0 || flip_);
    std::vector<uint8_t> formed;
    for (int64_t i = 0; i < in.n; ++i, x += size * repeats_) {
      if (in.indices[i] < 0 || in.indices[i] >= n)
        throw levin::Error(LEVIN_E_INVALID,
                           "there is no row " + std::to_string(in.indices[i]) + " of " + std::to_string(n));
      const size_t index = static_cast<size_t>(in.indices[i]), row = of_train || of_val ? order[index] : index;
      const uint8_t* image = set.pixels.data.data() + row * static_cast<size_t>(file_shape_.size());
      image = form_.apply(image, formed);
      y[i] = set.labels.data[row];
      if (augment)
        write_placed(image, shape_, table_.data(), draw_placement(in.seed, in.epoch, in.indices[i], crop_, flip_), x);
      else
        write(image, x);
      for (int64_t r = 1; r < repeats_; ++r) std::copy_n(x, size, x + r * size);
    }
  }

 private:
  void set_form(const std::string& file) {
    if (channels_ > 0 && file_shape_.channels > 1 && channels_ != file_shape_.channels)
      throw levin::Error(LEVIN_E_INVALID, "--data.channels " + std::to_string(channels_) + ": the images of " + file +
                                              " have " + std::to_string(file_shape_.channels) +
                                              " channels, and only grey ones can be repeated");
    repeats_ = channels_ > 0 && file_shape_.channels == 1 ? channels_ : 1;
    form_ = ImageForm(file_shape_, resize_, pad_);
    shape_ = form_.shape();
  }

  void write(const uint8_t* image, float* x) const {
    const int64_t pixels = shape_.height * shape_.width;
    for (int64_t c = 0; c < shape_.channels; ++c) {
      const float* table = table_.data() + 256 * c;
      for (int64_t i = 0; i < pixels; ++i) *x++ = table[*image++];
    }
  }

  void check_test(const DatasetFiles& files) const {
    const std::vector<int64_t>&a = train_.pixels.shape, &b = test_.pixels.shape;
    if (!b.empty() && !std::equal(a.begin() + 1, a.end(), b.begin() + 1, b.end()))
      throw levin::Error(LEVIN_E_IO,
                         files.train_images + " and " + files.test_images + " hold images of different sizes");
  }

  std::string dir_, prefix_, folder_;
  common::Splitting splitting_;
  bool validate_on_test_;
  double mean_, std_;  // NaN = computed from the training rows
  int64_t resize_, pad_, channels_;
  int64_t crop_;
  bool flip_;

  Images train_, test_;
  ImageShape file_shape_{};
  ImageForm form_;
  ImageShape shape_{};   // shape after form_
  int64_t repeats_ = 1;  // number of copies of each image, as additional channels
  int64_t classes_ = 0;
  common::SplitRows rows_;
  std::vector<float> table_;  // [channels][256]: the number that each byte becomes
};

}  // namespace mnist

LEVIN_PLUGIN("levin.mnist", "0.1.0", "Apache-2.0",
             levin::data_module<mnist::Mnist>("mnist", "MNIST, Fashion-MNIST and other IDX image sets"));
