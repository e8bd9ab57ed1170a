// Finds the images below a folder.
#pragma once
#include <string>
#include <vector>

#include "../other_files.hpp"

namespace common {

struct Scan {
  std::vector<std::string> files;  // relative paths, sorted by bytes: the same on every machine
  OtherFiles others;
};

// Returns the sorted names of the folders in a folder, without hidden ones (names that begin with a dot) and __MACOSX.
std::vector<std::string> folders_in(const std::string& dir);

// Returns the sorted names of the images directly in a folder.
std::vector<std::string> images_in(const std::string& dir);

// Finds the images in a folder and all its subfolders. Links are followed. Throws levin::Error for a folder that cannot
// be read, and for a cycle of links.
Scan scan_images(const std::string& dir);

// Finds the images that are to be predicted; paths begin with the folder. Adds a remark about files that are no images.
// Throws levin::Error if there is no image.
std::vector<std::string> images_to_predict(const std::string& dir, std::vector<std::string>& remarks);

// Adds "DIR: left out what is no image: 3 .gif" if the scan of a folder has other files.
void note_others(const std::string& dir, const Scan& scan, std::vector<std::string>& remarks);
// "2 images: a.png, b.png"; only the first ones of many.
std::string named(const std::vector<std::string>& images);

}  // namespace common
