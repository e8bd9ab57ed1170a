// How many pixels each class has in some of the training masks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "masks.hpp"

namespace segmentation_folder {

class ClassCounts {
 public:
  explicit ClassCounts(const MaskValues& values) : values_(values), pixels_(values.class_names().size()) {}
  void add(const levin::images::Image& mask);
  // all: the number of training masks. Returns a warning about classes without a pixel; "" = all have some, or masks
  // that were not counted may have them. Throws levin::Error if only one class trains, and other pixels are ignored.
  std::string remark(size_t all) const;

 private:
  const MaskValues& values_;
  size_t masks_ = 0;
  std::vector<uint64_t> pixels_;  // of each class
  uint64_t ignored_ = 0;
};

}  // namespace segmentation_folder
