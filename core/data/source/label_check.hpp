// Checks that labels are class numbers.
#pragma once
#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "core/data/source/loader_place.hpp"

namespace levin::core {

// The ignore_index of LibTorch's losses, also valid as a label.
constexpr int64_t ignored_label = -100;

struct BadLabel {
  int64_t row, value;
};
// Returns the first value that is neither in [0, classes) nor ignored_label. Returns nullopt also for tensors that are
// not of integers or not on the CPU.
std::optional<BadLabel> find_bad_label(const at::Tensor& values, int64_t classes);

// Throws Error{data} that names field, row, value and number of classes. ids: of the rows in the data; nullptr =
// unknown.
void check_labels(const LoaderPlace& place, const char* call, const std::vector<at::Tensor>& tensors,
                  const int64_t* ids);

}  // namespace levin::core
