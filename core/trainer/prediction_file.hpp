// Predictions of a run as one file: safetensors, and CSV beside it where they are few.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/adapt/model.hpp"
#include "core/data/batch.hpp"

namespace levin::core {

class PredictionFile {
 public:
  // Tensors whose first dimension is the batch; others are kept as one row a batch.
  void add(const std::vector<NamedTensor>& tensors, const Batch& batch);
  // Writes FOLDER/predictions.safetensors and perhaps .csv; returns what was written.
  std::vector<std::string> write(const std::string& folder) const;

 private:
  std::string csv(const std::map<std::string, at::Tensor>& whole) const;
  std::vector<std::string> order_;
  std::map<std::string, std::vector<at::Tensor>> parts_;
  std::vector<int64_t> sample_ids_;
};

}  // namespace levin::core
