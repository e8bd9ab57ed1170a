// The images of one set and their labels.
#pragma once
#include <string>
#include <vector>

#include "idx_file.hpp"

namespace mnist {

struct Images {
  IdxArray pixels, labels;
};
// Throws levin::Error if the files do not belong together.
Images read_images(const std::string& images, const std::string& labels);
// Returns messages about labels below the highest one that no training row has, and the place of the highest one; {} =
// every label occurs. Each class is an output of the network, so a damaged label adds many outputs. test: may be empty.
std::vector<std::string> label_remarks(const Images& train, const Images& test, const std::string& train_labels,
                                       const std::string& test_labels);
// Returns the class names: Fashion-MNIST's if the folder is named so, else numbers.
std::vector<std::string> class_names(const std::string& folder, int64_t classes);

}  // namespace mnist
