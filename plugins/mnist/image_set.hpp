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
// The names of the classes: those of Fashion-MNIST, if the folder is called so, or numbers.
std::vector<std::string> class_names(const std::string& folder, int64_t classes);

}  // namespace mnist
