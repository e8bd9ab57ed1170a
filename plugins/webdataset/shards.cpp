#include "shards.hpp"

#include <algorithm>
#include <filesystem>

#include "../common/csv_columns.hpp"
#include "../common/download/download.hpp"
#include "../common/file_pattern.hpp"
#include "levin/error.hpp"
#include "tar_file.hpp"

namespace webdataset {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> in_folder(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".tar") out.push_back(it->path().string());
  std::sort(out.begin(), out.end());
  return out;
}

// Returns what is wrong with a file that was downloaded; "" = nothing.
std::string problem_of(const std::string& path, bool may_be_damaged) try {
  std::string damage;
  const bool any = !TarFile(path).members(damage).empty();
  return may_be_damaged && any ? "" : damage.substr(damage.empty() ? 0 : path.size() + 1);
} catch (const levin::Error& e) {  // begins with the path
  return std::string(e.what()).substr(path.size() + 1);
}

}  // namespace

std::vector<std::string> shards_of(const std::string& names, const std::string& option, std::string cache,
                                   bool may_be_damaged, const std::function<void(const std::string&)>& tell) {
  std::vector<std::string> out;
  for (const std::string& name : common::list_of(names)) {
    for (const std::string& one : common::expanded(name)) {
      std::error_code error;
      std::vector<std::string> files = {one};
      if (download::is_url(one)) {
        if (cache.empty()) cache = download::download_folder();
        const download::Address address(one);
        if (!address.subdirectory.empty() || !address.array.empty())
          throw levin::Error(
              LEVIN_E_INVALID,
              address.shown() + ": subdirectory= and array= are not for shards, which are read as they are");
        files = {cache + "/" + address.path_of_copy()};
        download::download(address, files[0], {tell},
                           [&](const std::string& path) { return problem_of(path, may_be_damaged); });
      } else if (fs::is_directory(one, error)) {
        files = in_folder(one);
      } else if (!fs::exists(one, error)) {
        files = common::matching(one);
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
