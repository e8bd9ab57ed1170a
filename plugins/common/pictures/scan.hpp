// Finds the images below a folder.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace common {

struct Scan {
  std::vector<std::string> files;        // relative paths, sorted by bytes: the same on every machine
  std::map<std::string, size_t> others;  // extension -> number of other files
};

// Returns the sorted names of the folders in a folder, without hidden ones (names that begin with a dot) and __MACOSX.
std::vector<std::string> folders_in(const std::string& dir);

// Returns the sorted names of the images directly in a folder.
std::vector<std::string> images_in(const std::string& dir);

// Finds the images in a folder and all its subfolders. Links are followed. Throws levin::Error for a folder that cannot
// be read, and for a cycle of links.
Scan scan_images(const std::string& dir);

// "3 .gif, 1 .txt"
std::string listed(const std::map<std::string, size_t>& others);
// "2 images: a.png, b.png"; only the first ones of many.
std::string named(const std::vector<std::string>& images);

}  // namespace common
