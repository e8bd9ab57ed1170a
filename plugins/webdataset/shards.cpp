#include "shards.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "../common/csv_columns.hpp"
#include "../common/download/download.hpp"
#include "levin/error.hpp"

namespace webdataset {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_shards = 1000000;

// Replaces the first {FIRST..LAST} of the pattern by each of its numbers, with the digits that FIRST has.
void expand(const std::string& pattern, std::vector<std::string>& out) {
  const size_t open = pattern.find('{'), dots = pattern.find("..", open), close = pattern.find('}', open);
  const auto is_number = [&](size_t begin, size_t end) {
    return end > begin && end - begin < 10 &&
           std::all_of(pattern.begin() + static_cast<ptrdiff_t>(begin), pattern.begin() + static_cast<ptrdiff_t>(end),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (open == pattern.npos || close == pattern.npos || dots > close || !is_number(open + 1, dots) ||
      !is_number(dots + 2, close)) {
    if (out.size() >= most_shards) throw levin::Error(LEVIN_E_INVALID, pattern + ": more than 1000000 shards");
    return out.push_back(pattern);
  }
  const size_t digits = dots - open - 1;
  const uint64_t first = std::stoull(pattern.substr(open + 1)), last = std::stoull(pattern.substr(dots + 2));
  for (uint64_t i = first; i <= last; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, digits > number.size() ? digits - number.size() : 0, '0');
    expand(pattern.substr(0, open) + number + pattern.substr(close + 1), out);
  }
}

std::vector<std::string> in_folder(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".tar") out.push_back(it->path().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> out;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return out;
}

}  // namespace

std::vector<std::string> shards_of(const std::string& names, const std::string& option, std::string cache,
                                   const std::function<void(const std::string&)>& tell) {
  std::vector<std::string> out;
  for (const std::string& name : common::list_of(names)) {
    std::vector<std::string> patterns;
    expand(name, patterns);
    for (const std::string& one : patterns) {
      std::error_code error;
      std::vector<std::string> files = {one};
      if (common::is_url(one)) {
        if (cache.empty()) cache = common::download_folder();
        files = {common::downloaded(one, cache, tell)};
      } else if (fs::is_directory(one, error)) {
        files = in_folder(one);
      } else if (!fs::exists(one, error)) {
        files = matching(one);
      }
      if (files.empty())
        throw levin::Error(LEVIN_E_NOT_FOUND, "--data." + option + " " + one +
                                                  (fs::is_directory(one, error) ? ": the folder has no .tar file"
                                                                                : ": there is no such file"));
      out.insert(out.end(), files.begin(), files.end());
    }
  }
  if (out.empty()) throw levin::Error(LEVIN_E_INVALID, "--data." + option + " names no file");
  return out;
}

}  // namespace webdataset
