// A CSV file that says the class of each image.
#pragma once
#include "pictures.hpp"

namespace image_folder {

struct Labelled {
  std::vector<std::string> classes;  // whole numbers by their size, else by their bytes
  std::vector<Picture> pictures;     // in the order of the file, each image once
  std::vector<std::string> remarks;  // for the user
};

// The first line is a header unless it names an image. Names may lack their endings. Throws levin::Error with file and
// line for an image that is not there, for one without a class, and for one with two classes.
Labelled read_labels(const FolderOptions& options);

}  // namespace image_folder
