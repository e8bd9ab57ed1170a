// Folders of images.
#include "../common/file_module.hpp"
#include "../common/pictures/corrupt_images.hpp"
#include "levin/levin.hpp"
#include "picture.hpp"
#include "trained_on.hpp"

namespace image_folder {

class ImageFolder : public common::FileModule<image_options> {
 public:
  static constexpr const char* defaults = R"({"data.batch_size": 32})";

  explicit ImageFolder(const levin::Args& o)
      : folder_(o),
        images_(o),
        reader_(images_),
        numbers_(static_cast<size_t>(images_.pixels.channels * images_.size.width * images_.size.height)),
        augments_(images_.crop != "center" || images_.flip) {}

  void run_dir(const std::string& path) { run_dir_ = path; }
  void setup(levin::Stage stage) {
    fits_ = stage == levin::Stage::fit;
    if (!pictures_.classes.empty()) return;
    Pictures found = find_pictures(folder_);
    if (folder_.damaged != "stop") remove_corrupt(found);
    for (const std::string& remark : found.remarks) warn(remark);
    info(folder_.dir + ": " + std::to_string(found.classes.size()) + " classes (" + names_in(found.classes) + "); " +
         count(found, levin::Split::train) + " images train, " + count(found, levin::Split::val) + " validate, " +
         count(found, levin::Split::test) + " test");
    pictures_ = std::move(found);
    compare(trained_on_);
    trained_on_ = TrainedOn(pictures_, folder_.dir);
  }

  std::vector<levin::Field> fields() {
    const levin::Field x =
        levin::input("x", levin::float32, {images_.pixels.channels, images_.size.height, images_.size.width});
    std::vector<levin::Field> fields = {x, levin::images::target("y", images_.transforms, pictures_.classes)};
    if (images_.views > 1) fields.push_back(levin::images::second_view(x));
    return fields;
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(pictures_.of(split).size()); }
  std::string row_name(levin::Split split, int64_t index) {
    return pictures_.of(split).at(static_cast<size_t>(index)).path;
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    if (!images_.transforms.empty()) return fill_transformed(in, out);
    common::write_pixels(out[0], [&](auto* x) {
      int64_t* y = static_cast<int64_t*>(out[1].data);
      for (int64_t i = 0; i < in.n; ++i, x += numbers_) {
        const Picture& picture = picture_at(in.split, in.indices[i]);
        Random random(common::stream_of(in.seed, in.epoch, in.indices[i]));
        y[i] = picture.label;
        common::with_advice(
            [&] { reader_.read(picture.path, in.split == levin::Split::train && augments_ ? &random : nullptr, x); });
      }
    });
  }
  levin::ByteScale byte_scale(int64_t field) {
    return field == 0 ? images_.pixels.numbers.scale() : levin::ByteScale{};
  }

  void save(levin::Writer writer) const {
    if (!trained_on_.classes.empty()) trained_on_.save(writer);
  }
  void load(levin::Reader reader) {
    TrainedOn saved;
    if (!saved.load(reader)) return;
    if (pictures_.classes.empty())
      trained_on_ = std::move(saved);
    else
      compare(saved);
  }

 private:
  void remove_corrupt(Pictures& found) const {
    const std::string remark = common::remove_corrupt(
        found.splits, folder_.damaged, run_dir_, [](const Picture& picture) { return picture.path; },
        [this](const Picture& picture) { reader_.check(picture.path); });
    if (!remark.empty()) found.remarks.push_back(folder_.dir + ": " + remark);
  }

  // Compares the pictures with the checkpoint's. Throws levin::Error for other classes, and warns of other images.
  void compare(const TrainedOn& saved) const {
    if (saved.classes.empty()) return;
    if (saved.classes != pictures_.classes)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained to tell " + names_in(saved.classes) +
                                            " apart, and " + folder_.dir + " has " + names_in(pictures_.classes));
    const TrainedOn now(pictures_, folder_.dir);
    if (fits_ && saved.checksum != now.checksum)
      warn(folder_.dir + " has not the images that the checkpoint was trained on (" + std::to_string(saved.images) +
           " then, " + std::to_string(now.images) + " now): images that trained may validate now");
  }

  static std::string count(const Pictures& pictures, levin::Split split) {
    return std::to_string(pictures.of(split).size());
  }

  const Picture& picture_at(levin::Split split, int64_t index) const {
    const std::vector<Picture>& pictures = pictures_.of(split);
    if (index >= 0 && index < static_cast<int64_t>(pictures.size())) return pictures[static_cast<size_t>(index)];
    throw levin::Error(LEVIN_E_INVALID,
                       "there is no image " + std::to_string(index) + " of " + std::to_string(pictures.size()));
  }

  void fill_transformed(const levin::Fill& in, const levin_view* out) const {
    levin::images::Batch batch(images_.transforms, in, images_.views);
    for (int64_t i = 0; i < in.n; ++i) {
      const Picture& picture = picture_at(in.split, in.indices[i]);
      common::with_advice([&] { reader_.read(picture, batch); });
    }
    batch.mix();
    const auto write = [this](const std::vector<levin::images::Image>& images, const levin_view& view) {
      common::write_pixels(view, [&](auto* x) {
        for (const levin::images::Image& image : images) {
          images_.pixels.write(image, x);
          x += numbers_;
        }
      });
    };
    write(batch.images, out[0]);
    if (images_.views > 1) write(batch.second, out[2]);
    batch.write_targets(out[1].data, static_cast<int64_t>(pictures_.classes.size()));
  }

  const FolderOptions folder_;
  const ImageOptions images_;
  const PictureReader reader_;
  const size_t numbers_;  // numbers per row
  const bool augments_;
  bool fits_ = false;
  std::string run_dir_;  // "" = the run writes no files
  Pictures pictures_;
  TrainedOn trained_on_;  // of these pictures; before setup, of a checkpoint
};

}  // namespace image_folder

LEVIN_PLUGIN("levin.image_folder", "0.1.0", "Apache-2.0",
             levin::data_module<image_folder::ImageFolder>("image_folder", "Folders of images"));
