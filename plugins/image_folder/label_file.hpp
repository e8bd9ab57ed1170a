// A CSV or JSON file with the class of each image.
#pragma once
#include "pictures.hpp"

namespace image_folder {

struct Labelled {
  std::vector<std::string> classes;  // sorted as integers if all are integers, else by bytes
  std::vector<Picture> pictures;     // in file order, each image once
  std::vector<std::string> remarks;  // messages for the user
};

// The first line is a header unless it names an image. Image names may lack the extension. Throws levin::Error with
// file and line for an image that does not exist, has no class, or has two classes.
Labelled read_labels(const FolderOptions& options);

// Returns the images of a folder without class folders, with the classes that --data.val_labels gives them: the first
// word of each label is the name of a class folder, as in ImageNet's LOC_val_solution.csv. folders: sorted. Throws
// levin::Error with file and line for an image that does not exist, or a class that is none.
std::vector<Picture> read_val_labels(const FolderOptions& options, const std::string& dir,
                                     const std::vector<std::string>& folders);

}  // namespace image_folder
