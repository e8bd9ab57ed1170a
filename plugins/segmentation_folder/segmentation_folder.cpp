// Folders of images and of masks with the class of each pixel.
#include <algorithm>
#include <mutex>
#include <utility>

#include "../common/file_module.hpp"
#include "../common/pictures/colours.hpp"
#include "../common/pictures/corrupt_images.hpp"
#include "../common/pictures/decode.hpp"
#include "../common/pictures/picture_options.hpp"
#include "class_counts.hpp"
#include "levin/levin.hpp"
#include "masks.hpp"
#include "pairs.hpp"

namespace segmentation_folder {

using levin::images::Image;

inline constexpr levin_option own_options[] = {
    levin::required(levin::path("images", nullptr, "folder of images, or of train, val and test with images in them")),
    levin::required(levin::path("masks", nullptr, "folder of masks: PNGs with the paths and names of the images")),
    levin::required(levin::text("classes", nullptr, "number of the classes, or their names: background, cat, dog")),
    levin::text("class_values", "\"\"", "value of each class in the masks, such as 0, 255; empty = 0, 1, 2, ..."),
    levin::with(
        levin::integer("ignore_value", "255", "value of pixels to be left out of the loss; null = none", 0, 255),
        LEVIN_OPT_NULLABLE),
    levin::path("predict_dir", "\"\"", "folder of images to predict, without masks; empty = the test images, or all"),
    levin::images::transforms_by_default("\"resize:256:256, normalize\"")};
inline constexpr auto folder_options =
    common::joined(own_options, common::joined(common::picture_options, common::split_options));

class SegmentationFolder : public common::FileModule<folder_options> {
 public:
  static constexpr const char* defaults = R"({"data.batch_size": 8})";

  explicit SegmentationFolder(const levin::Args& o)
      : pair_options_(o),
        damaged_(o.text("damaged")),
        transforms_(o.text("transforms")),
        pictures_(o, transforms_.normalizes()),
        values_(o),
        shape_(transforms_.after_any(pictures_.channels, o.text("transforms"))) {
    if (transforms_.mixes())
      throw levin::Error(LEVIN_E_INVALID,
                         "--data.transforms: mixup and cutmix mix images that have one class each, and a "
                         "mask has many: leave them out");
  }

  void run_dir(const std::string& path) { run_dir_ = path; }
  void setup(levin::Stage stage) {
    if (!pairs_.of(levin::Split::train).empty()) return;
    Pairs found = find_pairs(pair_options_);
    if (damaged_ != "stop") {
      const std::string remark = common::remove_corrupt(
          found.splits, damaged_, run_dir_, [](const Pair& pair) { return pair.image; },
          [this](const Pair& pair) { read(pair, nullptr); });
      if (!remark.empty()) found.remarks.push_back(remark);
    }
    if (stage == levin::Stage::fit) look_at_classes(found);
    for (const std::string& remark : found.remarks) warn(remark);
    info(pair_options_.images + ": " + std::to_string(found.of(levin::Split::train).size()) + " images train, " +
         std::to_string(found.of(levin::Split::val).size()) + " validate, " +
         std::to_string(found.of(levin::Split::test).size()) + " test");
    pairs_ = std::move(found);
  }

  std::vector<levin::Field> fields() {
    const auto classes = static_cast<int64_t>(values_.class_names().size());
    return {levin::input("x", levin::float32, {shape_.channels, shape_.height, shape_.width}),
            {"y", levin::int64, {shape_.height, shape_.width}, LEVIN_ROLE_TARGET, classes, values_.class_names()}};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(pairs_.of(split).size()); }
  std::string row_name(levin::Split split, int64_t index) {
    return pairs_.of(split).at(static_cast<size_t>(index)).image;
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    constexpr int64_t ignore_index = -100;  // of LibTorch's losses
    common::write_pixels(out[0], [&](auto* x) {
      int64_t* y = static_cast<int64_t*>(out[1].data);
      for (int64_t i = 0; i < in.n; ++i, x += shape_.size(), y += shape_.height * shape_.width) {
        levin::Random random(in.seed, in.epoch, in.indices[i]);
        const Pair& pair = pairs_.of(in.split).at(static_cast<size_t>(in.indices[i]));
        const auto [image, mask] =
            common::with_advice([&] { return read(pair, in.split == levin::Split::train ? &random : nullptr); });
        pictures_.write(image, x);
        std::transform(mask.pixels.begin(), mask.pixels.end(), y,
                       [](uint8_t value) { return value == ignored ? ignore_index : value; });
      }
    });
  }
  levin::ByteScale byte_scale(int64_t field) { return field == 0 ? pictures_.numbers.scale() : levin::ByteScale{}; }

 private:
  // Calls work(), and puts the path before its errors.
  template <class Work>
  static auto named(const std::string& path, Work work) {
    try {
      return work();
    } catch (const levin::Error& e) {
      throw levin::Error(e.status(), path + ": " + e.what());
    }
  }

  Image read_image(const std::string& path) const {
    const common::Bytes file = common::read_bytes(path);
    return common::in_planes(pictures_.shown(file, common::read_header(file, pictures_.max_pixels)));
  }
  common::Image read_values(const std::string& mask) const {
    const common::Bytes file = common::read_bytes(mask);
    return common::decode_mask(file, common::read_header(file, pictures_.max_pixels));
  }
  Image read_mask(const Pair& pair, const levin::images::Shape& of) const {
    const common::Image values = read_values(pair.mask);
    const auto text = [](int64_t width, int64_t height) {
      return std::to_string(width) + " x " + std::to_string(height);
    };
    if (values.height != of.height || values.width != of.width)
      throw levin::Error(LEVIN_E_IO, "the mask has " + text(values.width, values.height) + " pixels, and " +
                                         pair.image + " has " + text(of.width, of.height));
    return values_.classes_of(values);
  }
  // Counts the classes in up to 100 training masks, spread over all of them. Masks that cannot be read are left out.
  void look_at_classes(Pairs& found) const {
    const std::vector<Pair>& train = found.of(levin::Split::train);
    const size_t n = std::min<size_t>(100, train.size());
    ClassCounts counts(values_);
    std::mutex mutex;
    common::corruption_of(n, [&](size_t i) {
      const Image mask = values_.classes_of(read_values(train[i * train.size() / n].mask));
      const std::lock_guard<std::mutex> lock(mutex);
      counts.add(mask);
    });
    const std::string remark = named(pair_options_.masks, [&] { return counts.remark(train.size()); });
    if (!remark.empty()) found.remarks.push_back(pair_options_.masks + ": " + remark);
  }
  // random: nullptr outside training. Errors begin with the path of the image or of the mask.
  std::pair<Image, Image> read(const Pair& pair, levin::Random* random) const {
    Image image = named(pair.image, [&] { return read_image(pair.image); });
    Image mask = pair.mask.empty() ? Image::mask(image.shape.height, image.shape.width, ignored)
                                   : named(pair.mask, [&] { return read_mask(pair, image.shape); });
    named(pair.image, [&] { transforms_.apply(image, mask, random); });
    return {std::move(image), std::move(mask)};
  }

  const PairOptions pair_options_;
  const std::string damaged_;
  const levin::images::Transforms transforms_;
  const common::PictureOptions pictures_;
  const MaskValues values_;
  const levin::images::Shape shape_;
  std::string run_dir_;  // "" = the run writes no files
  Pairs pairs_;
};

}  // namespace segmentation_folder

LEVIN_PLUGIN("levin.segmentation_folder", "0.1.0", "Apache-2.0",
             levin::data_module<segmentation_folder::SegmentationFolder>("segmentation_folder",
                                                                         "Folders of images and of masks"));
