// Random batches with the form of the data that a model was trained on.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/split_info.hpp"

namespace levin::core {

struct ExampleBatch {
  int64_t rows = 2;
  int64_t length = 8;  // of dimensions whose size differs between rows
  bool signs = false;  // true = numbers of both signs, some large; false = from 0 to 1
};

// Returns true if an input has dimensions whose size differs between rows.
bool has_lengths(const std::vector<FieldInfo>& fields);
// Returns the inputs of a batch on the CPU; empty if no field is an input.
std::vector<at::Tensor> example_inputs(const std::vector<FieldInfo>& fields, const ExampleBatch& batch);

}  // namespace levin::core
