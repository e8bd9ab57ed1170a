#include "pictures.hpp"

#include <algorithm>
#include <filesystem>

#include "class_folders.hpp"
#include "label_file.hpp"
#include "scan.hpp"

namespace image_folder {
namespace {

constexpr const char* split_folders[][3] = {
    {"train", "training", nullptr}, {"val", "valid", "validation"}, {"test", "testing", nullptr}};

// Which split a folder is for; -1: none.
int split_of(const std::string& folder) {
  for (int split = 0; split < 3; ++split)
    for (const char* name : split_folders[split])
      if (name && folder == name) return split;
  return -1;
}

// True if all folders are train, val and the like, and there is one to train with.
bool are_splits(const std::vector<std::string>& folders) {
  bool train = false;
  for (const std::string& folder : folders) {
    if (split_of(folder) < 0) return false;
    train |= split_of(folder) == LEVIN_TRAIN;
  }
  return train;
}

// Keeps some of the pictures for validation and test, where these have none of their own.
void divide(std::vector<Picture> all, const FolderWishes& wishes, bool own_val, bool own_test, Pictures& out) {
  if (all.empty()) throw levin::Error(LEVIN_E_IO, wishes.dir + " has no images to train with");
  if (own_val) {
    out.splits[LEVIN_TRAIN] = std::move(all);
    return;
  }
  const common::SplitRows rows =
      wishes.splitting.split_with_test(static_cast<int64_t>(all.size()), own_test ? 0 : wishes.test_fraction);
  const std::vector<uint32_t>* places[] = {&rows.train, &rows.val, &rows.test};
  for (size_t split = 0; split < 3; ++split)
    for (const uint32_t row : *places[split]) out.splits[split].push_back(all[row]);
}

void find_in_splits(const FolderWishes& wishes, const std::vector<std::string>& folders, Pictures& out) {
  ClassFolders classes;
  std::vector<Picture> of[3];
  bool own[3] = {};
  for (const int split : {LEVIN_TRAIN, LEVIN_VAL, LEVIN_TEST})
    for (const std::string& folder : folders)
      if (split_of(folder) == split) {
        const std::string dir = wishes.dir + "/" + folder;
        std::vector<Picture> found = split == LEVIN_TRAIN ? classes.learn(dir) : classes.find(dir);
        of[split].insert(of[split].end(), found.begin(), found.end());
        own[split] = true;
      }
  divide(std::move(of[LEVIN_TRAIN]), wishes, own[LEVIN_VAL], own[LEVIN_TEST], out);
  if (own[LEVIN_VAL]) out.splits[LEVIN_VAL] = std::move(of[LEVIN_VAL]);
  if (own[LEVIN_TEST]) out.splits[LEVIN_TEST] = std::move(of[LEVIN_TEST]);
  out.classes = classes.names();
  out.remarks = classes.remarks();
}

void find_in_classes(const FolderWishes& wishes, Pictures& out) {
  ClassFolders classes;
  divide(classes.learn(wishes.dir), wishes, false, false, out);
  out.classes = classes.names();
  out.remarks = classes.remarks();
}

std::vector<Picture> unlabelled(const std::string& dir) {
  std::vector<Picture> pictures;
  for (const std::string& file : scan_images(dir).files) pictures.push_back({dir + "/" + file, 0});
  if (pictures.empty()) throw levin::Error(LEVIN_E_IO, dir + " has no JPEG or PNG image to predict");
  return pictures;
}

void find_to_predict(const FolderWishes& wishes, Pictures& out) {
  std::vector<Picture>& predict = out.splits[LEVIN_PREDICT];
  if (!wishes.predict_dir.empty()) {
    predict = unlabelled(wishes.predict_dir);
    return;
  }
  predict = out.splits[LEVIN_TEST];
  if (!predict.empty()) return;
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL})
    predict.insert(predict.end(), out.splits[split].begin(), out.splits[split].end());
  std::sort(predict.begin(), predict.end(), [](const Picture& a, const Picture& b) { return a.path < b.path; });
}

}  // namespace

Pictures find_pictures(const FolderWishes& wishes) {
  Pictures out;
  if (wishes.dir.empty()) throw levin::Error(LEVIN_E_INVALID, "--data.dir: no folder is named");
  const std::vector<std::string> folders = folders_in(wishes.dir);
  if (!wishes.labels.empty()) {
    Labelled labelled = read_labels(wishes);
    out.classes = std::move(labelled.classes);
    divide(std::move(labelled.pictures), wishes, false, false, out);
  } else if (are_splits(folders)) {
    find_in_splits(wishes, folders, out);
  } else {
    find_in_classes(wishes, out);
  }
  find_to_predict(wishes, out);
  return out;
}

}  // namespace image_folder
