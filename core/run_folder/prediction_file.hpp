// The predictions of a run, kept on the CPU and written as a safetensors file, and as CSV too if they are few.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/batch.hpp"

namespace levin::core {

class PredictionFile {
 public:
  // Copies the tensors that predict_step returned for one batch of the loader. The file has the batches' tensors of a
  // name concatenated along the first dimension; a tensor without dimensions is one row. A batch without tensors is
  // skipped. names: of the batch's rows, for predictions.csv, or none.
  void add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader = 0,
           const std::vector<std::string>& names = {});
  // The first tensor of each batch, by loader and batch.
  const std::vector<std::vector<at::Tensor>>& first() const { return first_; }
  // Writes FOLDER/predictions.safetensors, and predictions.csv if the predictions are few and have equally many rows.
  // Returns the paths of the files that were written.
  std::vector<std::string> write(const std::string& folder) const;

 private:
  std::string csv(const std::map<std::string, at::Tensor>& whole) const;
  std::vector<std::string> order_;
  std::map<std::string, std::vector<at::Tensor>> parts_;
  std::vector<std::vector<at::Tensor>> first_;  // shares the memory of parts_
  std::vector<int64_t> sample_ids_;
  std::vector<std::string> names_;
};

}  // namespace levin::core
