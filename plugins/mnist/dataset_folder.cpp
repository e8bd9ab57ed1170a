#include "dataset_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "../common/data_folders.hpp"
#include "levin/error.hpp"

namespace mnist {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> usual_folders() {
  std::vector<fs::path> folders;
  for (const std::string& folder : common::data_folders())
    for (const char* name : {"fashion-mnist", "mnist"}) folders.push_back(fs::path(folder) / name);
  return folders;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

// Finds a name such as "train-images-idx3-ubyte.gz", "t10k-labels.idx1-ubyte" or
// "emnist-letters-test-images-idx3-ubyte".
std::string find_file(const std::vector<std::string>& names, bool train, const char* part, const fs::path& folder) {
  std::string found;
  for (const std::string& name : names) {
    const bool of_split = train ? contains(name, "train") : contains(name, "t10k") || contains(name, "test");
    if (!of_split || !contains(name, part) || !contains(name, "idx")) continue;
    // If a file exists unpacked and packed, the unpacked one comes first and is used.
    if (!found.empty() && name != found + ".gz")
      throw levin::Error(LEVIN_E_INVALID, folder.string() + " holds several sets (" + found + ", " + name +
                                              "): give the start of the files' names by 'prefix'");
    if (found.empty()) found = name;
  }
  return found.empty() ? "" : (folder / found).string();
}

std::optional<DatasetFiles> files_in(const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (starts_with(it->path().filename().string(), prefix)) names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  DatasetFiles files{folder.string(), find_file(names, true, "images", folder),
                     find_file(names, true, "labels", folder), find_file(names, false, "images", folder),
                     find_file(names, false, "labels", folder)};
  if (files.train_images.empty() || files.train_labels.empty()) return std::nullopt;
  if (files.test_images.empty() != files.test_labels.empty())
    throw levin::Error(LEVIN_E_IO, folder.string() + " has only one of the test set's two files (images and labels)");
  return files;
}

}  // namespace

DatasetFiles find_dataset(const std::string& dir, const std::string& prefix) {
  std::vector<fs::path> folders = usual_folders();
  if (!dir.empty())
    folders = {dir, fs::path(dir) / "raw", fs::path(dir) / "FashionMNIST" / "raw", fs::path(dir) / "MNIST" / "raw"};
  std::string tried;
  for (const fs::path& folder : folders) {
    if (std::optional<DatasetFiles> files = files_in(folder, prefix)) return *files;
    tried += (tried.empty() ? "" : ", ") + folder.string();
  }
  throw levin::Error(LEVIN_E_NOT_FOUND,
                     "no IDX files (train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz, ...) in: " + tried +
                         "; install Debian's package dataset-fashion-mnist, or give the folder by --data.dir");
}

}  // namespace mnist
