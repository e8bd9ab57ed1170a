// The classes of the pixels of a mask.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../common/pictures/image.hpp"
#include "levin/images/image.hpp"
#include "levin/options.hpp"

namespace segmentation_folder {

inline constexpr uint8_t ignored = 255;  // in a mask that was read: a pixel that is left out

class MaskValues {
 public:
  // Reads the options classes, class_values and ignore_value. Throws levin::Error if they do not fit together.
  explicit MaskValues(const levin::Args& o);
  const std::vector<std::string>& class_names() const { return names_; }
  std::optional<int64_t> ignored_value() const { return ignored_value_; }
  // Returns the option class_values with the ignored value in place of that of a class: "0,255".
  std::string list_with_ignored(size_t of) const;
  // Returns class indices, or `ignored`, for the values of the file. Throws levin::Error for a value that is no class.
  levin::images::Image classes_of(const common::Image& values) const;

 private:
  std::vector<std::string> names_, list_;  // list_: the value of each class
  std::optional<int64_t> ignored_value_;
  std::array<int, 256> class_of_{};  // -1 = none
};

}  // namespace segmentation_folder
