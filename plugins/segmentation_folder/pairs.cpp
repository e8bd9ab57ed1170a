#include "pairs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "../common/pictures/scan.hpp"

namespace segmentation_folder {
namespace {

namespace fs = std::filesystem;

// Returns the split of an image in a folder of this name; -1 = none.
int split_of_folder(const std::string& file) {
  constexpr const char* names[] = {"train", "val", "test"};
  const std::string folder = file.substr(0, file.find('/'));
  for (int split = 0; split < 3 && folder.size() < file.size(); ++split)
    if (folder == names[split]) return split;
  return -1;
}

std::string mask_name(const std::string& image) { return fs::path(image).replace_extension(".png").string(); }

// Throws levin::Error for an image without a mask in the training, validation or test set.
void check_masks(const Pairs& pairs, const PairOptions& options) {
  std::vector<std::string> without;
  for (const levin::Split split : {levin::Split::train, levin::Split::val, levin::Split::test})
    for (const Pair& pair : pairs.of(split))
      if (pair.mask.empty()) without.push_back(common::path_below(options.images, pair.image));
  if (without.empty()) return;
  const std::string& first = *std::min_element(without.begin(), without.end());
  std::string text = options.images + "/" + first + " has no mask " + options.masks + "/" + mask_name(first);
  if (without.size() > 1) text += ", and " + std::to_string(without.size() - 1) + " more images have none";
  throw levin::Error(LEVIN_E_IO, text + ": add the masks, or name the images with masks in a list (--data.train_list)");
}

void divide(const std::vector<Pair>& all, const PairOptions& options, Pairs& out) {
  const common::SplitRows rows = options.splitting.split(
      static_cast<int64_t>(all.size()), {}, [&] { return common::names_below(options.images, all, &Pair::image); });
  const std::vector<uint32_t>* parts[] = {&rows.train, &rows.val, &rows.test};
  for (size_t split = 0; split < 3; ++split)
    for (const uint32_t row : *parts[split]) out.splits[split].push_back(all[row]);
}

// Takes the folders train, val and test; without val some of the images of train validate.
void take_folders(const std::vector<Pair>& all, const std::vector<std::string>& files, const PairOptions& options,
                  Pairs& out) {
  for (size_t i = 0; i < all.size(); ++i) out.splits[split_of_folder(files[i])].push_back(all[i]);
  std::vector<Pair> train = std::move(out.splits[LEVIN_TRAIN]);
  if (train.empty()) throw levin::Error(LEVIN_E_IO, options.images + " has no folder train with images");
  const bool own_val = !out.splits[LEVIN_VAL].empty();
  if (!out.splits[LEVIN_TEST].empty() || own_val)
    options.splitting.refuse_test_beside("the folders of " + options.images);
  if (own_val) options.splitting.refuse_beside("the folder " + options.images + "/val");
  out.splits[LEVIN_TRAIN].clear();
  if (own_val)
    out.splits[LEVIN_TRAIN] = std::move(train);
  else
    divide(train, options, out);
}

void find_to_predict(const PairOptions& options, const std::vector<Pair>& all, Pairs& out) {
  std::vector<Pair>& predict = out.splits[LEVIN_PREDICT];
  if (options.predict_dir.empty()) {
    predict = out.splits[LEVIN_TEST].empty() ? all : out.splits[LEVIN_TEST];
    return;
  }
  for (const std::string& path : common::images_to_predict(options.predict_dir, out.remarks))
    predict.push_back({path, ""});
}

}  // namespace

PairOptions::PairOptions(const levin::Args& o)
    : images(o.text("images")), masks(o.text("masks")), predict_dir(o.text("predict_dir")), splitting(o) {
  if (splitting.stratifies())
    throw levin::Error(LEVIN_E_INVALID, "--data.stratify: an image with a mask has no single class");
}

Pairs find_pairs(const PairOptions& options) {
  Pairs out;
  const common::Scan images = common::scan_images(options.images), of_masks = common::scan_images(options.masks);
  const std::vector<std::string>&files = images.files, &masks = of_masks.files;
  if (files.empty())
    throw levin::Error(LEVIN_E_IO, options.images + " has no images" + common::but_listed(images.others));
  common::note_others(options.images, images, out.remarks);
  if (options.masks != options.images) common::note_others(options.masks, of_masks, out.remarks);
  std::set<std::string> unused(masks.begin(), masks.end());
  std::vector<Pair> all;
  for (const std::string& file : files) {
    const std::string mask = mask_name(file);
    unused.erase(mask);
    const bool has_mask = std::binary_search(masks.begin(), masks.end(), mask);
    all.push_back({options.images + "/" + file, has_mask ? options.masks + "/" + mask : ""});
  }
  if (!unused.empty())
    out.remarks.push_back(options.masks + ": left out masks without an image, " +
                          common::named({unused.begin(), unused.end()}));
  if (std::all_of(files.begin(), files.end(), [](const std::string& file) { return split_of_folder(file) >= 0; }))
    take_folders(all, files, options, out);
  else
    divide(all, options, out);
  check_masks(out, options);
  find_to_predict(options, all, out);
  return out;
}

}  // namespace segmentation_folder
