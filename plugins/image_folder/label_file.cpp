#include "label_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "../common/class_names.hpp"
#include "../common/csv_columns.hpp"
#include "../common/json_table.hpp"
#include "../common/leads_outside.hpp"
#include "../common/pictures/decode.hpp"
#include "../common/pictures/scan.hpp"

namespace image_folder {
namespace {

namespace fs = std::filesystem;

// Returns the path of an image; "" = not found in the folder.
std::string image_at(const std::string& dir, const std::string& name) {
  if (name.empty() || common::leads_outside(name)) return "";
  const std::string path = (fs::path(dir) / name).string();
  const auto is_file = [](const std::string& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) && !fs::is_directory(file, ignored);
  };
  if (is_file(path)) return path;
  for (std::string ending : common::image_endings) {
    if (is_file(path + "." + ending)) return path + "." + ending;
    for (char& c : ending) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (is_file(path + "." + ending)) return path + "." + ending;
  }
  return "";
}

std::vector<std::string> sorted_classes(const std::map<std::string, int64_t>& known) {
  std::vector<std::string> names;
  for (const auto& [name, label] : known) names.push_back(name);
  common::sort_classes(names);
  return names;
}

std::string trimmed(std::string_view cell) {
  const size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
  return first == cell.npos ? "" : std::string(cell.substr(first, last - first + 1));
}

std::string plain_path(const std::string& path) { return fs::path(path).lexically_normal().string(); }

common::CsvFile read_table(const std::string& path) {
  return common::has_json_ending(path) ? common::read_json_table(path) : common::read_csv(path, 0);
}

size_t column_of(const common::CsvFile& file, const std::string& wanted, const char* option) {
  std::vector<std::string> names;
  for (size_t c = 0; c < file.columns; ++c) names.emplace_back(file.cell(0, c));
  return common::find_column(names, wanted, option, file.path);
}

class LabelReader {
 public:
  explicit LabelReader(const FolderOptions& options)
      : options_(options),
        file_(read_table(options.labels)),
        path_column_(column_of(file_, options.file_column, "file_column")),
        label_column_(column_of(file_, options.label_column, "label_column")),
        group_column_(options.group.empty() ? 0 : column_of(file_, options.group, "group")) {}

  Labelled read() {
    for (size_t r = has_header() ? 1 : 0; r < file_.records(); ++r) take(r);
    name_classes();
    if (repeated_ > 0)
      out_.remarks.push_back(file_.path + " names " + std::to_string(repeated_) +
                             (repeated_ == 1 ? " image" : " images") + " again, with the same class: taken once");
    note_unnamed();
    return std::move(out_);
  }

 private:
  struct First {  // first record of an image
    size_t record, picture;
    std::string label;
  };

  bool has_header() const {
    const std::string name = trimmed(file_.cell(0, path_column_));
    return image_at(options_.dir, name).empty() && !common::has_image_ending(name);
  }

  void take(size_t r) {
    const std::string name = trimmed(file_.cell(r, path_column_)), label = trimmed(file_.cell(r, label_column_));
    const std::string path = image_at(options_.dir, name);
    if (path.empty())
      throw levin::Error(LEVIN_E_IO, file_.place(r) + ": there is no image '" + name + "' in " + options_.dir);
    if (label.empty()) throw levin::Error(LEVIN_E_IO, file_.place(r) + ": image '" + name + "' has no class");
    const std::string group = options_.group.empty() ? "" : trimmed(file_.cell(r, group_column_));
    if (group.empty() && !options_.group.empty())
      throw levin::Error(LEVIN_E_IO,
                         file_.place(r) + ": the column '" + options_.group + "' of --data.group has no value");
    const auto [first, is_new] = first_.emplace(plain_path(path), First{r, out_.pictures.size(), label});
    if (!is_new && first->second.label != label)
      throw levin::Error(LEVIN_E_IO, file_.place(r) + ": image '" + name + "' has the class '" + label +
                                         "', and in line " + std::to_string(file_.lines[first->second.record]) +
                                         " it has '" + first->second.label + "'; an image has one class");
    if (!is_new) {
      if (const std::string& before = out_.pictures[first->second.picture].group; before != group)
        throw levin::Error(LEVIN_E_IO, file_.place(r) + ": image '" + name + "' is in the group '" + group +
                                           "', and in line " + std::to_string(file_.lines[first->second.record]) +
                                           " in '" + before + "'; an image is in one group");
      ++repeated_;
      return;
    }
    out_.pictures.push_back({path, 0, group});
    labels_.push_back(label);
    known_[label] = 0;
  }

  void name_classes() {
    if (known_.size() < 2)
      throw levin::Error(LEVIN_E_IO, file_.path + (known_.empty() ? " names no images" : " has one class only") +
                                         "; its columns are taken from --data.file_column and label_column");
    out_.classes = sorted_classes(known_);
    for (size_t i = 0; i < out_.classes.size(); ++i) known_[out_.classes[i]] = static_cast<int64_t>(i);
    for (size_t i = 0; i < labels_.size(); ++i) out_.pictures[i].label = known_[labels_[i]];
  }

  void note_unnamed() try {
    std::vector<std::string> unnamed;
    for (const std::string& image : common::scan_images(options_.dir).files)
      if (first_.count(plain_path(options_.dir + "/" + image)) == 0) unnamed.push_back(image);
    if (!unnamed.empty())
      out_.remarks.push_back("left out what " + file_.path + " does not name, " + common::named(unnamed));
  } catch (const levin::Error& e) {  // the named images exist; only the list of other images is missing
    out_.remarks.push_back(e.what());
  }

  const FolderOptions& options_;
  const common::CsvFile file_;
  const size_t path_column_, label_column_, group_column_;
  Labelled out_;
  std::vector<std::string> labels_;  // label of each picture
  std::map<std::string, int64_t> known_;
  std::map<std::string, First> first_;  // key: path
  size_t repeated_ = 0;
};

}  // namespace

Labelled read_labels(const FolderOptions& options) { return LabelReader(options).read(); }

std::vector<Picture> read_val_labels(const FolderOptions& options, const std::string& dir,
                                     const std::vector<std::string>& folders) {
  const common::CsvFile file = read_table(options.val_labels);
  const size_t path_column = column_of(file, options.file_column, "file_column"),
               label_column = column_of(file, options.label_column, "label_column");
  std::vector<Picture> pictures;
  for (size_t r = 0; r < file.records(); ++r) {
    const std::string name = trimmed(file.cell(r, path_column)), label = trimmed(file.cell(r, label_column));
    const std::string path = image_at(dir, name), folder = label.substr(0, label.find(' '));
    if (path.empty() && r == 0 && !common::has_image_ending(name)) continue;  // the header
    if (path.empty()) throw levin::Error(LEVIN_E_IO, file.place(r) + ": there is no image '" + name + "' in " + dir);
    const auto at = std::lower_bound(folders.begin(), folders.end(), folder);
    if (at == folders.end() || *at != folder)
      throw levin::Error(LEVIN_E_IO, file.place(r) + ": image '" + name + "' has the class '" + folder +
                                         "', for which the training images have no folder");
    pictures.push_back({path, at - folders.begin(), ""});
  }
  if (pictures.empty()) throw levin::Error(LEVIN_E_IO, file.path + " names no images");
  std::sort(pictures.begin(), pictures.end(), [](const Picture& a, const Picture& b) { return a.path < b.path; });
  return pictures;
}

}  // namespace image_folder
