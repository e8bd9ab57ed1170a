#include "corrupt_images.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace image_folder {
namespace {

// Returns the reason why each file cannot be read; "" = it can be read.
std::vector<std::string> reasons_of(const std::vector<std::string>& files, const PictureReader& reader) {
  std::vector<std::string> reasons(files.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++) try {
        reader.check(files[i]);
      } catch (const std::exception& e) {
        reasons[i] = e.what();
      }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min(16u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return reasons;
}

}  // namespace

CorruptImages remove_corrupt(Pictures& pictures, const PictureReader& reader) {
  std::map<std::string, std::string> reason;  // an image may be in two splits
  for (const std::vector<Picture>& split : pictures.splits)
    for (const Picture& picture : split) reason[picture.path];
  std::vector<std::string> files;
  for (const auto& [path, text] : reason) files.push_back(path);
  const std::vector<std::string> found = reasons_of(files, reader);
  CorruptImages corrupt{{}, files.size()};
  for (size_t i = 0; i < files.size(); ++i) {
    reason[files[i]] = found[i];
    if (!found[i].empty()) corrupt.reasons.push_back(found[i]);
  }
  for (std::vector<Picture>& split : pictures.splits)
    split.erase(std::remove_if(split.begin(), split.end(), [&](const Picture& p) { return !reason[p.path].empty(); }),
                split.end());
  return corrupt;
}

// Several processes write the same lines, each into a temporary file that is then renamed.
std::string write_corrupt_images(const CorruptImages& corrupt, const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "damaged_images.txt";
  std::error_code error;
  if (corrupt.reasons.empty()) {
    std::filesystem::remove(file, error);
    return file.string();
  }
  const std::string unfinished = file.string() + "." + std::to_string(getpid());
  std::ofstream out(unfinished, std::ios::binary);
  for (const std::string& reason : corrupt.reasons) out << reason << '\n';
  out.close();
  if (out) std::filesystem::rename(unfinished, file, error);
  if (!out || error) throw levin::Error(LEVIN_E_IO, file.string() + " cannot be written; is the disk full?");
  return file.string();
}

}  // namespace image_folder
