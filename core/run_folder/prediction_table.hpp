// Makes the text of predictions.csv.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace levin::core {

// The predictions of all batches, by name.
struct Predictions {
  std::vector<std::string> order;  // the names in the order of their first appearance
  std::map<std::string, at::Tensor> tensors;
  std::vector<int64_t> sample_ids;
  std::vector<std::string> names;
};

struct PredictionTable {
  std::string text;                   // "" = nothing to write
  std::vector<std::string> left_out;  // tensors with too many numbers, or without one value per row
};

// class_names: for the first tensor, if its numbers are classes.
PredictionTable prediction_table(const Predictions& whole, const std::vector<std::string>& class_names);

}  // namespace levin::core
