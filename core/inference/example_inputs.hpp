// Batches of made-up rows, like those of the data that a model was trained on.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/split_info.hpp"

namespace levin::core {

struct ExampleBatch {
  int64_t rows = 2;
  int64_t length = 8;  // of dimensions whose size differs from row to row
  bool signs = false;  // numbers of both signs, some of them large; otherwise from 0 to 1
};

bool has_lengths(const std::vector<FieldInfo>& fields);  // whether an input has such dimensions
// The inputs of a batch, on the CPU; empty if the fields have no input.
std::vector<at::Tensor> example_inputs(const std::vector<FieldInfo>& fields, const ExampleBatch& batch);

}  // namespace levin::core
