// The predictions of a run, kept on the CPU and written as a safetensors file and as a CSV file.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/data/source/batch.hpp"

namespace levin::core {

class ProcessGroup;

// The predictions for one batch.
struct PredictedBatch {
  int64_t loader = 0;
  int64_t number = 0;     // the batch's index in its loader in its process
  int64_t first_row = 0;  // index of its first row in its loader in its process
  int rank = 0;           // the rank of its process
  int64_t rows = 0;
  std::vector<int64_t> sample_ids;  // per row, or empty
  std::vector<std::string> names;   // per row, or empty
  std::vector<NamedTensor> tensors;
};

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

// Makes the text of predictions.csv. class_names: for the first tensor, if its numbers are classes.
PredictionTable prediction_table(const Predictions& whole, const std::vector<std::string>& class_names);

struct WrittenPredictions {
  std::vector<std::string> files;     // paths
  std::vector<std::string> left_out;  // tensors that are not in predictions.csv
};

class PredictionFile {
 public:
  // Copies the tensors that predict_step returned for one batch of the loader. The file concatenates the batches'
  // tensors of the same name along the first dimension; a tensor without dimensions is one row. Call it for each batch:
  // a batch without tensors is counted, but not kept. names: of the batch's rows, for predictions.csv, or empty.
  void add(const std::vector<NamedTensor>& tensors, const Batch& batch, size_t loader = 0,
           const std::vector<std::string>& names = {});
  // The first tensor of each batch, by loader and batch.
  const std::vector<std::vector<at::Tensor>>& first() const { return first_; }
  // Sorts the batches of several processes into the order of a single process. in_turns: the processes took rows, or
  // batches of a stream, in turns; otherwise the batches are sorted by rank.
  void put_in_order(bool in_turns);
  std::vector<PredictedBatch>& batches() { return batches_; }
  // Writes FOLDER/predictions.safetensors, and predictions.csv with a line per row: its index and name, the tensors
  // with one number per row, and the other tensors if they are small. There is no predictions.csv without indices if
  // the tensors' numbers of rows differ, nor without both names and columns. class_names: for the first tensor, if its
  // numbers are classes.
  WrittenPredictions write(const std::string& folder, const std::vector<std::string>& class_names = {}) const;

 private:
  std::vector<PredictedBatch> batches_;
  struct Seen {
    int64_t batches = 0, rows = 0;
  };
  std::vector<Seen> seen_;                      // per loader
  std::vector<std::vector<at::Tensor>> first_;  // shares the memory of batches_
  std::vector<int64_t> order_;                  // order of all batches' rows; empty = unchanged
};

// Gathers the predictions of all processes in rank 0. Collective. Tensors are sent one by one, so that no process but
// rank 0 holds more than its own. in_turns: as in PredictionFile::put_in_order.
void gather_predictions(PredictionFile& file, ProcessGroup& group, bool in_turns);

}  // namespace levin::core
