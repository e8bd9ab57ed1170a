// The predictions of a run, kept on the CPU and written as a safetensors file and as a CSV file.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/source/batch.hpp"

namespace levin::core {

// What was predicted for one batch.
struct PredictedBatch {
  int64_t loader = 0;
  int64_t number = 0;     // of its loader in its process
  int64_t first_row = 0;  // the place of its first row among those of its loader in its process
  int rank = 0;           // of its process
  int64_t rows = 0;
  std::vector<int64_t> sample_ids;  // of its rows, or none
  std::vector<std::string> names;   // of its rows, or none
  std::vector<NamedTensor> tensors;
};

struct WrittenPredictions {
  std::vector<std::string> files;     // their paths
  std::vector<std::string> left_out;  // the tensors that predictions.csv does not have
};

class PredictionFile {
 public:
  // Copies the tensors that predict_step returned for one batch of the loader. The file has the batches' tensors of a
  // name concatenated along the first dimension; a tensor without dimensions is one row. A batch without tensors is
  // counted, but not kept: call it for each batch. names: of the batch's rows, for predictions.csv, or none.
  void add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader = 0,
           const std::vector<std::string>& names = {});
  // The first tensor of each batch, by loader and batch.
  const std::vector<std::vector<at::Tensor>>& first() const { return first_; }
  // Puts the batches of several processes in the order that one process has. in_turns: the processes have taken rows,
  // or the batches of a stream, in turns; else those of one come behind those of the other.
  void put_in_order(bool in_turns);
  std::vector<PredictedBatch>& batches() { return batches_; }
  // Writes FOLDER/predictions.safetensors, and predictions.csv with a line for each row: its index and name, the
  // tensors with one number a row, and the others if they are few. Without indices the tensors have equally many rows,
  // or there is no predictions.csv; nor is there one without names and columns. class_names: of the first tensor, if
  // its numbers are classes.
  WrittenPredictions write(const std::string& folder, const std::vector<std::string>& class_names = {}) const;

 private:
  std::vector<PredictedBatch> batches_;
  struct Seen {
    int64_t batches = 0, rows = 0;
  };
  std::vector<Seen> seen_;                      // of each loader
  std::vector<std::vector<at::Tensor>> first_;  // shares the memory of batches_
  std::vector<int64_t> order_;                  // of the rows of all batches; empty: as they are
};

}  // namespace levin::core
