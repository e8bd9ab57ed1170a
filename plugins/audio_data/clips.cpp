#include "clips.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "../common/class_names.hpp"
#include "../common/csv_columns.hpp"
#include "../common/json_table.hpp"
#include "../common/leads_outside.hpp"
#include "../common/not_opened.hpp"
#include "levin/error.hpp"
#include "sound_file.hpp"

namespace audio {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

// Returns the sorted paths of the sound files below a folder, and adds to `others`. Links to folders are not followed.
std::vector<std::string> sounds_below(const fs::path& folder, common::OtherFiles& others) {
  std::error_code error;
  std::vector<std::string> out;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code lost;
    if (name[0] == '.') {
      if (it->is_directory(lost)) it.disable_recursion_pending();
    } else if (it->is_regular_file(lost)) {
      if (has_sound_ending(name))
        out.push_back(it->path().string());
      else
        ++others[it->path().extension().string()];
    }
  }
  if (error) common::fail_to_open("cannot read the folder " + folder.string(), error.value());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> folders_of(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> out;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code lost;
    const std::string name = it->path().filename().string();
    if (name[0] != '.' && it->is_directory(lost)) out.push_back(name);
  }
  if (error) common::fail_to_open("cannot read the folder " + folder.string(), error.value());
  std::sort(out.begin(), out.end());
  return out;
}

std::string advice(const common::OtherFiles& others) {
  return common::but_listed(others) + ": files that end with " + sound_endings() + " are read";
}

}  // namespace

std::vector<Clip> labelled_clips(const std::string& folder, std::vector<std::string>& classes,
                                 common::OtherFiles& others) {
  const std::vector<std::string> found = folders_of(folder);
  if (classes.empty()) classes = found;
  if (found.empty())
    refuse_folder(folder + " has no folders: put the sound files of each class into a folder of its own");
  std::vector<Clip> out;
  for (const std::string& name : found) {
    const auto at = std::find(classes.begin(), classes.end(), name);
    if (at == classes.end()) refuse_folder(folder + "/" + name + " is a class that did not train: is it misspelt?");
    const std::vector<std::string> paths = sounds_below(fs::path(folder) / name, others);
    if (paths.empty()) refuse_folder("the class folder " + folder + "/" + name + " has no sound file" + advice(others));
    for (const std::string& path : paths) out.push_back({path, at - classes.begin(), ""});
  }
  return out;
}

std::vector<Clip> listed_clips(const std::string& folder, const LabelFile& labels, std::vector<std::string>& classes) {
  const common::CsvFile file =
      common::has_json_ending(labels.path) ? common::read_json_table(labels.path) : common::read_csv(labels.path, 0);
  const std::vector<std::string> names = common::column_names(file, true);
  const size_t path_column = common::find_column(names, labels.file_column, "file_column", labels.path),
               label_column = common::find_column(names, labels.label_column, "label_column", labels.path);
  const bool has_groups = !labels.group_column.empty();
  const size_t group_column = has_groups ? common::find_column(names, labels.group_column, "group", labels.path) : 0;
  struct Row {
    std::string label, group;
  };
  std::map<std::string, Row> row_of;  // of a path in the table
  for (size_t r = has_sound_ending(names[path_column]) ? 0 : 1; r < file.records(); ++r) {
    const std::string name(file.cell(r, path_column)), label(file.cell(r, label_column)),
        group(has_groups ? file.cell(r, group_column) : "");
    const fs::path path = fs::path(name).lexically_normal();
    std::error_code error;
    if (name.empty() || common::leads_outside(name))
      refuse_folder(file.place(r) + ": '" + name + "' is no file in " + folder);
    if (!fs::is_regular_file(folder / path, error))
      refuse_folder(file.place(r) + ": there is no file '" + name + "' in " + folder);
    if (label.empty()) refuse_folder(file.place(r) + ": '" + name + "' has no class");
    if (has_groups && group.empty())
      refuse_folder(file.place(r) + ": the column '" + labels.group_column + "' of --data.group has no value");
    const auto [at, is_new] = row_of.emplace((folder / path).string(), Row{label, group});
    if (!is_new && at->second.label != label)
      refuse_folder(file.place(r) + ": '" + name + "' has the class '" + label + "', and before '" + at->second.label +
                    "'");
    if (!is_new && at->second.group != group)
      refuse_folder(file.place(r) + ": '" + name + "' has the group '" + group + "', and before '" + at->second.group +
                    "'");
  }
  if (row_of.empty()) refuse_folder(labels.path + " names no sound file");
  if (classes.empty()) {
    std::set<std::string> all;
    for (const auto& [path, row] : row_of) all.insert(row.label);
    classes.assign(all.begin(), all.end());
    common::sort_classes(classes);
  }
  std::vector<Clip> out;
  for (const auto& [path, row] : row_of) {
    const auto at = std::find(classes.begin(), classes.end(), row.label);
    if (at == classes.end())
      refuse_folder(labels.path + ": " + path + " has the class '" + row.label + "', which did not train");
    out.push_back({path, at - classes.begin(), row.group});
  }
  return out;
}

std::vector<Clip> unlabelled_clips(const std::string& folder, common::OtherFiles& others) {
  std::vector<Clip> out;
  for (const std::string& path : sounds_below(folder, others)) out.push_back({path, -100, ""});
  if (out.empty()) refuse_folder(folder + " has no sound file" + advice(others));
  return out;
}

}  // namespace audio
