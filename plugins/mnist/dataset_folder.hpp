// The four files of an MNIST-like set in a folder.
#pragma once
#include <string>

namespace mnist {

struct DatasetFiles {
  std::string folder;
  std::string train_images, train_labels, test_images, test_labels;  // the test ones empty where there are none
};

// dir: the folder, or one that holds the files as torchvision lays them out (MNIST/raw, FashionMNIST/raw); empty: the
// usual places. prefix: of the files' names, for folders with several sets (emnist-letters-). Throws levin::Error that
// lists what was tried.
DatasetFiles find_dataset(const std::string& dir, const std::string& prefix);

}  // namespace mnist
