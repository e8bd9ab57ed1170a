#include "class_folders.hpp"

#include <algorithm>

#include "../common/pictures/scan.hpp"
#include "../common/utf8.hpp"

namespace image_folder {

std::vector<Picture> ClassFolders::images_of(const std::string& dir, size_t label) {
  const common::Scan scan = common::scan_images(dir);
  for (const auto& [ending, n] : scan.others) others_[ending] += n;
  std::vector<Picture> pictures;
  for (const std::string& file : scan.files) pictures.push_back({dir + "/" + file, static_cast<int64_t>(label), ""});
  return pictures;
}

void ClassFolders::refuse_without_classes(const std::string& dir, const std::string& label_option) const {
  const common::Scan scan = common::scan_images(dir);
  if (scan.files.empty()) throw levin::Error(LEVIN_E_IO, dir + " has no images" + common::but_listed(scan.others));
  throw levin::Error(
      LEVIN_E_IO, dir + " has " + std::to_string(scan.files.size()) + (scan.files.size() == 1 ? " image" : " images") +
                      " and no class folders: put those of each class into a folder of its own" +
                      (label_option.empty() ? "" : ", or name their classes by --data." + label_option + " FILE.csv"));
}

std::vector<Picture> ClassFolders::learn(const std::string& dir) {
  dir_ = dir;
  names_ = common::folders_in(dir);
  if (names_.empty()) refuse_without_classes(dir, "labels");
  std::vector<Picture> pictures;
  for (size_t label = 0; label < names_.size(); ++label) {
    const std::string folder = dir + "/" + names_[label];
    if (!common::is_utf8(names_[label]))
      throw levin::Error(LEVIN_E_IO, "the name of a class folder in " + dir + " is not in UTF-8: rename it");
    const std::vector<Picture> own = images_of(folder, label);
    if (own.empty())
      throw levin::Error(LEVIN_E_IO, "the class folder " + folder + " has no image" + common::but_listed(others_) +
                                         ": add some, or remove it");
    pictures.insert(pictures.end(), own.begin(), own.end());
  }
  if (names_.size() == 1) look_at_only_class();
  note_loose_images(dir);
  return pictures;
}

void ClassFolders::note_loose_images(const std::string& dir) {
  for (const std::string& name : common::images_in(dir)) loose_.push_back(dir + "/" + name);
}

// Detects the usual mistake of giving the parent of the right folder.
void ClassFolders::look_at_only_class() {
  const std::string only = dir_ + "/" + names_[0];
  if (common::folders_in(only).size() > 1)
    throw levin::Error(LEVIN_E_IO, dir_ + " has only one class folder, " + names_[0] +
                                       ", which has folders itself: did you mean --data.dir " + only + "?");
  remarks_.push_back("has only one class folder, " + names_[0] + ": there is nothing to tell apart");
}

std::vector<Picture> ClassFolders::find(const std::string& dir, const std::string& label_option) {
  std::vector<Picture> pictures;
  for (const std::string& folder : common::folders_in(dir)) {
    const auto at = std::lower_bound(names_.begin(), names_.end(), folder);
    if (at == names_.end() || *at != folder)
      throw levin::Error(LEVIN_E_IO,
                         dir + "/" + folder + " is a class that " + dir_ + " does not have: is it misspelt?");
    const std::vector<Picture> own = images_of(dir + "/" + folder, static_cast<size_t>(at - names_.begin()));
    pictures.insert(pictures.end(), own.begin(), own.end());
  }
  if (pictures.empty()) refuse_without_classes(dir, label_option);
  note_loose_images(dir);
  return pictures;
}

std::vector<std::string> ClassFolders::remarks() const {
  std::vector<std::string> remarks = remarks_;
  if (!loose_.empty()) remarks.push_back("left out what is in no class folder, " + common::named(loose_));
  if (!others_.empty()) remarks.push_back("left out what is no image: " + common::listed(others_));
  return remarks;
}

}  // namespace image_folder
