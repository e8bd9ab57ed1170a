// Finds the four files of a data set in the format of MNIST.
#pragma once
#include <string>

namespace mnist {

struct DatasetFiles {
  std::string folder;
  std::string train_images, train_labels, test_images, test_labels;  // those of the test set are "" if there is none
};

// `dir` is the folder with the files, or a folder in torchvision's layout (MNIST/raw, FashionMNIST/raw); if it is
// empty, the usual places are searched. `prefix` is how the files' names start, for folders with several sets
// (emnist-letters-). Throws levin::Error that lists the folders that were tried.
DatasetFiles find_dataset(const std::string& dir, const std::string& prefix);

}  // namespace mnist
