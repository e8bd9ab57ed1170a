// Images that cannot be read, and what --data.damaged says about them.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "levin/error.hpp"

namespace common {

// Calls read(i) once for each of n images, on up to 16 threads. Returns the message of each levin::Error, which begins
// with the image's path; "" = the image can be read.
std::vector<std::string> corruption_of(size_t n, const std::function<void(size_t)>& read);

// Calls read(), and says in its errors how to leave such images out.
template <class Read>
auto with_advice(Read read) {
  try {
    return read();
  } catch (const levin::Error& e) {
    throw levin::Error(e.status(), std::string(e.what()) + "; --data.damaged skip leaves such images out");
  }
}

// Writes the reasons into damaged_images.txt in the folder of the run, or removes the file if there are none. run_dir
// "" = no file. `images` were read. Returns a message that names the file, or lists the first reasons if there is no
// file; "" = no image is damaged. Throws levin::Error if the file cannot be written.
std::string report_corrupt(const std::vector<std::string>& reasons, size_t images, const std::string& run_dir);

// What --data.damaged check and skip do before the run: reads each row of the splits once, and removes those that
// cannot be read. path(row): its image. read(row): throws for a damaged one. Returns a message for the user; "" = all
// can be read. Throws levin::Error for `check`, and if no training row is left.
template <class Row, class Path, class Read>
std::string remove_corrupt(std::vector<Row> (&splits)[LEVIN_SPLITS], const std::string& damaged,
                           const std::string& run_dir, Path path, Read read) {
  std::map<std::string, const Row*> rows;  // a row may be in two splits
  for (const std::vector<Row>& split : splits)
    for (const Row& row : split) rows.emplace(path(row), &row);
  std::vector<const Row*> all;
  for (const auto& [name, row] : rows) all.push_back(row);
  const std::vector<std::string> found = corruption_of(all.size(), [&](size_t i) { read(*all[i]); });
  std::vector<std::string> reasons;
  std::set<std::string> corrupt;
  for (size_t i = 0; i < all.size(); ++i) {
    if (found[i].empty()) continue;
    reasons.push_back(found[i]);
    corrupt.insert(path(*all[i]));
  }
  const std::string text = report_corrupt(reasons, all.size(), run_dir);
  if (text.empty()) return "";
  if (damaged == "check") throw levin::Error(LEVIN_E_IO, text);
  for (std::vector<Row>& split : splits)
    split.erase(
        std::remove_if(split.begin(), split.end(), [&](const Row& row) { return corrupt.count(path(row)) > 0; }),
        split.end());
  if (splits[LEVIN_TRAIN].empty()) throw levin::Error(LEVIN_E_IO, text + "\nand no image is left to train with");
  return "left out: " + text;
}

}  // namespace common
