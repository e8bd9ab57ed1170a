#include "split_folders.hpp"

#include <algorithm>
#include <vector>

#include "../common/pictures/scan.hpp"
#include "levin/error.hpp"

namespace image_folder {
namespace {

constexpr const char* known_names[][3] = {
    {"train", "training", nullptr}, {"val", "valid", "validation"}, {"test", "testing", nullptr}};

// Returns the split that a folder is for; -1 = none.
int split_of(std::string folder) {
  std::transform(folder.begin(), folder.end(), folder.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (int split = 0; split < 3; ++split)
    for (const char* name : known_names[split])
      if (name && folder == name) return split;
  return -1;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

[[noreturn]] void refuse_folders(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

SplitFolders split_folders(const std::string& dir, const std::vector<std::string>& names) {
  SplitFolders out;
  std::vector<std::string> name_of(3);
  for (const std::string& name : names) {
    const auto split = static_cast<size_t>(split_of(name));
    if (!out[split].empty())
      refuse_folders(dir + " has the folders '" + name_of[split] + "' and '" + name + "', which are both for " +
                     known_names[split][0] + ": join them");
    out[split] = dir + "/" + name;
    name_of[split] = name;
  }
  return out;
}

}  // namespace

std::optional<SplitFolders> find_split_folders(const std::string& dir) {
  std::vector<std::string> splits, others, with_classes;
  for (const std::string& name : common::folders_in(dir)) (split_of(name) < 0 ? others : splits).push_back(name);
  // A folder that is named as a split but has no subfolders may be a class.
  for (const std::string& name : splits)
    if (!common::folders_in(dir + "/" + name).empty()) with_classes.push_back(name);
  if (!others.empty()) {
    if (with_classes.empty()) return std::nullopt;
    refuse_folders(dir + " has " + joined(with_classes) + " with class folders, and beside that " + joined(others) +
                   ", which is neither train, val nor test: move it out of " + dir + ", or rename it");
  }
  const SplitFolders found = split_folders(dir, splits);
  if (!found[LEVIN_TRAIN].empty()) return found;
  if (with_classes.empty()) return std::nullopt;
  refuse_folders(dir + " has " + joined(splits) + ", and no folder 'train', from which the classes are known");
}

}  // namespace image_folder
