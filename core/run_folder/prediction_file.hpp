// Predictions of a run, kept on the CPU, and as one file: safetensors, and CSV beside it where they are few.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/batch.hpp"

namespace levin::core {

class PredictionFile {
 public:
  // The tensors of a batch of that loader, copied once. In the file those whose first dimension is the batch stand row
  // by row, others as one row a batch. No tensors: nothing is kept of the batch.
  void add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader = 0);
  // What stood first in each batch, by loader and batch.
  const std::vector<std::vector<at::Tensor>>& first() const { return first_; }
  // Writes FOLDER/predictions.safetensors and perhaps .csv; returns what was written.
  std::vector<std::string> write(const std::string& folder) const;

 private:
  std::string csv(const std::map<std::string, at::Tensor>& whole) const;
  std::vector<std::string> order_;
  std::map<std::string, std::vector<at::Tensor>> parts_;
  std::vector<std::vector<at::Tensor>> first_;  // the same tensors as in parts_
  std::vector<int64_t> sample_ids_;
};

}  // namespace levin::core
