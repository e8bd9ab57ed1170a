// Finds the four files of a data set in the format of MNIST.
#pragma once
#include <string>

namespace mnist {

struct DatasetFiles {
  std::string folder;
  std::string train_images, train_labels, test_images, test_labels;  // test files: "" = no test set
};

// dir: the folder with the files, or a folder in torchvision's layout (MNIST/raw, FashionMNIST/raw); empty = search the
// usual places. prefix: the start of the file names, for folders with several sets (emnist-letters-). Throws
// levin::Error that lists the folders that were tried.
DatasetFiles find_dataset(const std::string& dir, const std::string& prefix);

}  // namespace mnist
