// The images of one set, with their labels.
#pragma once
#include <string>
#include <vector>

#include "idx_file.hpp"

namespace mnist {

struct Images {
  IdxArray pixels, labels;
};
// Throws levin::Error where the files do not belong together.
Images read_images(const std::string& images, const std::string& labels);
// Says which labels below the highest one no training row has, and where the highest one is; {}: every label occurs.
// A class is an output of the network, so that a damaged label makes many. test: perhaps without rows.
std::vector<std::string> label_remarks(const Images& train, const Images& test, const std::string& train_labels,
                                       const std::string& test_labels);
// The names of the classes: those of Fashion-MNIST, if the folder is called so, or numbers.
std::vector<std::string> class_names(const std::string& folder, int64_t classes);

}  // namespace mnist
