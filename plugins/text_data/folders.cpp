#include "folders.hpp"

#include <algorithm>
#include <set>

#include "../common/not_opened.hpp"

namespace text {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder, bool folders) {
  std::error_code error;
  std::vector<fs::path> out;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code lost;
    if (it->path().filename().string()[0] == '.') continue;
    if (folders ? it->is_directory(lost) : it->is_regular_file(lost)) out.push_back(it->path());
  }
  if (error) common::fail_to_open("cannot read the folder " + folder.string(), error.value());
  std::sort(out.begin(), out.end());
  return out;
}

bool is_link(const fs::path& file) {
  std::error_code lost;
  return fs::is_symlink(file, lost);
}

void add_files(const fs::path& folder, std::vector<fs::path>& out) {
  for (fs::path& file : entries(folder, false)) out.push_back(std::move(file));
  for (const fs::path& below : entries(folder, true))
    if (!is_link(below)) add_files(below, out);
}

}  // namespace

std::vector<fs::path> folders_in(const fs::path& folder) { return entries(folder, true); }

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files, out;
  add_files(folder, files);
  std::sort(files.begin(), files.end());
  std::set<fs::path> known;  // the files that links lead to, and those in the folder
  const auto is_new = [&](const fs::path& file) {
    std::error_code lost;
    return known.insert(fs::canonical(file, lost)).second;
  };
  if (std::none_of(files.begin(), files.end(), is_link)) return files;
  for (const fs::path& file : files)
    if (!is_link(file)) is_new(file);
  for (const fs::path& file : files)
    if (!is_link(file) || is_new(file)) out.push_back(file);
  return out;
}

}  // namespace text
