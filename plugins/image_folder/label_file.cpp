#include "label_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "../common/csv_columns.hpp"

namespace image_folder {
namespace {

namespace fs = std::filesystem;

// The path of an image; "": there is none.
std::string image_at(const std::string& dir, const std::string& name) {
  if (name.empty()) return "";
  const std::string path = (fs::path(dir) / name).string();
  for (const char* ending : {"", ".jpg", ".jpeg", ".png", ".JPG", ".JPEG", ".PNG"}) {
    std::error_code ignored;
    if (fs::exists(path + ending, ignored) && !fs::is_directory(path + ending, ignored)) return path + ending;
  }
  return "";
}

std::optional<int64_t> whole_number(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> sorted_classes(const std::map<std::string, int64_t>& known) {
  std::vector<std::string> names;
  bool numbers = true;
  for (const auto& [name, label] : known) {
    names.push_back(name);
    numbers = numbers && whole_number(name).has_value();
  }
  if (numbers)
    std::sort(names.begin(), names.end(),
              [](const std::string& a, const std::string& b) { return *whole_number(a) < *whole_number(b); });
  return names;
}

std::string trimmed(std::string_view cell) {
  const size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
  return first == cell.npos ? "" : std::string(cell.substr(first, last - first + 1));
}

}  // namespace

Labelled read_labels(const FolderWishes& wishes) {
  const common::CsvFile file = common::read_csv(wishes.labels, 0);
  std::vector<std::string> names;
  for (size_t c = 0; c < file.columns; ++c) names.emplace_back(file.cell(0, c));
  const size_t path_column = common::find_column(names, wishes.file_column, "file_column", file.path);
  const size_t label_column = common::find_column(names, wishes.label_column, "label_column", file.path);
  const bool header = image_at(wishes.dir, trimmed(file.cell(0, path_column))).empty();

  Labelled out;
  std::vector<std::string> labels;
  std::map<std::string, int64_t> known;
  for (size_t r = header ? 1 : 0; r < file.records(); ++r) {
    const std::string name = trimmed(file.cell(r, path_column)), label = trimmed(file.cell(r, label_column));
    const std::string path = image_at(wishes.dir, name);
    if (path.empty())
      throw levin::Error(LEVIN_E_IO, file.place(r) + ": there is no image '" + name + "' in " + wishes.dir);
    if (label.empty()) throw levin::Error(LEVIN_E_IO, file.place(r) + ": image '" + name + "' has no class");
    out.pictures.push_back({path, 0});
    labels.push_back(label);
    known[label] = 0;
  }
  if (known.size() < 2)
    throw levin::Error(LEVIN_E_IO, file.path + (known.empty() ? " names no images" : " has one class only") +
                                       "; its columns are taken from --data.file_column and label_column");
  out.classes = sorted_classes(known);
  for (size_t i = 0; i < out.classes.size(); ++i) known[out.classes[i]] = static_cast<int64_t>(i);
  for (size_t i = 0; i < labels.size(); ++i) out.pictures[i].label = known[labels[i]];
  return out;
}

}  // namespace image_folder
