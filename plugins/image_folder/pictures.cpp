#include "pictures.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>

#include "../common/not_opened.hpp"
#include "../common/pictures/scan.hpp"
#include "../common/utf8.hpp"
#include "class_folders.hpp"
#include "label_file.hpp"
#include "split_folders.hpp"

namespace image_folder {
namespace {

common::RowKeys keys_of(const std::vector<Picture>& pictures, const FolderOptions& options,
                        const std::vector<std::string>& class_names) {
  if (options.splitting.groups()) {
    std::vector<std::string> groups;
    for (const Picture& picture : pictures) groups.push_back(picture.group);
    return common::keys_of(groups);
  }
  common::RowKeys classes{{}, class_names};
  for (const Picture& picture : pictures) classes.of.push_back(static_cast<uint32_t>(picture.label));
  return classes;
}

// Keeps some of the pictures for validation and test, unless these have their own. out.classes is set.
void divide(std::vector<Picture> all, const FolderOptions& options, const std::string& own_val,
            const std::string& own_test, Pictures& out) {
  if (all.empty()) throw levin::Error(LEVIN_E_IO, options.dir + " has no images to train with");
  if (!own_test.empty()) options.splitting.refuse_test_beside("the folder " + own_test);
  if (!own_val.empty()) {
    options.splitting.refuse_beside("the folder " + own_val);
    options.splitting.refuse_test_beside("the folder " + own_val + " without one for the test");
    out.splits[LEVIN_TRAIN] = std::move(all);
    return;
  }
  const common::SplitRows rows =
      options.splitting.split(static_cast<int64_t>(all.size()), keys_of(all, options, out.classes),
                              [&] { return common::names_below(options.dir, all, &Picture::path); });
  const std::vector<uint32_t>* places[] = {&rows.train, &rows.val, &rows.test};
  for (size_t split = 0; split < 3; ++split)
    for (const uint32_t row : *places[split]) out.splits[split].push_back(all[row]);
}

void find_in_splits(const FolderOptions& options, const SplitFolders& folders, Pictures& out) {
  ClassFolders classes;
  std::vector<Picture> all = classes.learn(folders[LEVIN_TRAIN]);
  out.classes = classes.names();
  divide(std::move(all), options, folders[LEVIN_VAL], folders[LEVIN_TEST], out);
  for (const int split : {LEVIN_VAL, LEVIN_TEST}) {
    if (folders[split].empty()) continue;
    out.splits[split] = split == LEVIN_VAL && !options.val_labels.empty()
                            ? read_val_labels(options, folders[split], classes.names())
                            : classes.find(folders[split], split == LEVIN_VAL ? "val_labels" : "");
  }
  classes.note_loose_images(options.dir);
  out.remarks = classes.remarks();
}

void find_in_classes(const FolderOptions& options, Pictures& out) {
  ClassFolders classes;
  std::vector<Picture> all = classes.learn(options.dir);
  out.classes = classes.names();
  divide(std::move(all), options, "", "", out);
  out.remarks = classes.remarks();
}

// Replaces the names of class folders, such as n01440764, by the names that a file gives them.
void name_classes(const std::string& path, std::vector<std::string>& classes) {
  std::ifstream in(path);
  if (!in) common::fail_to_open("--data.synset_names " + path + ": cannot be opened", errno);
  std::map<std::string, std::string> names;
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    const size_t end = line.find_first_of(" \t"), begin = line.find_first_not_of(" \t", end);
    if (end != line.npos && begin != line.npos) names[line.substr(0, end)] = line.substr(begin);
  }
  std::set<std::string> used;
  for (std::string& name : classes) {
    const auto found = names.find(name);
    if (found == names.end() || !common::is_utf8(found->second))
      throw levin::Error(LEVIN_E_IO, "--data.synset_names " + path + " has no line '" + name +
                                         " NAME' in UTF-8, which names the class folder " + name);
    // ImageNet has two classes that are called crane.
    name = used.insert(found->second).second ? found->second : found->second + " (" + name + ")";
  }
}

void find_to_predict(const FolderOptions& options, Pictures& out) {
  std::vector<Picture>& predict = out.splits[LEVIN_PREDICT];
  if (!options.predict_dir.empty()) {
    for (const std::string& path : common::images_to_predict(options.predict_dir, out.remarks))
      predict.push_back({path, 0, ""});
    return;
  }
  predict = out.splits[LEVIN_TEST];
  if (!predict.empty()) return;
  for (const uint32_t split : {LEVIN_TRAIN, LEVIN_VAL})
    predict.insert(predict.end(), out.splits[split].begin(), out.splits[split].end());
  std::sort(predict.begin(), predict.end(), [](const Picture& a, const Picture& b) { return a.path < b.path; });
}

}  // namespace

Pictures find_pictures(const FolderOptions& options) {
  Pictures out;
  if (options.dir.empty()) throw levin::Error(LEVIN_E_INVALID, "--data.dir: no folder is named");
  if (!options.labels.empty()) {
    Labelled labelled = read_labels(options);
    out.classes = std::move(labelled.classes);
    out.remarks = std::move(labelled.remarks);
    divide(std::move(labelled.pictures), options, "", "", out);
  } else if (const auto folders = find_split_folders(options.dir)) {
    find_in_splits(options, *folders, out);
  } else {
    find_in_classes(options, out);
  }
  if (!options.synset_names.empty()) name_classes(options.synset_names, out.classes);
  for (std::string& remark : out.remarks) remark = options.dir + ": " + remark;
  find_to_predict(options, out);
  return out;
}

}  // namespace image_folder
