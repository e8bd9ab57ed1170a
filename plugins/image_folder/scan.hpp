// The images below a folder.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace image_folder {

struct Scan {
  std::vector<std::string> files;        // paths below the folder, sorted by their bytes: the same on every machine
  std::map<std::string, size_t> others;  // how many other files there are, by their endings
};

// The names of the folders in a folder, sorted. Hidden ones, whose names begin with a dot, and __MACOSX are passed
// over.
std::vector<std::string> folders_in(const std::string& dir);

// The names of the images in a folder itself, sorted.
std::vector<std::string> images_in(const std::string& dir);

// The images in a folder and all that are in it. Links are followed. Throws levin::Error for a folder that cannot be
// read, and for a link that leads back.
Scan scan_images(const std::string& dir);

// "3 .gif, 1 .txt"
std::string listed(const std::map<std::string, size_t>& others);
// "2 images: a.png, b.png"; of many, the first ones.
std::string named(const std::vector<std::string>& images);

}  // namespace image_folder
