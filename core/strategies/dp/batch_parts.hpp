// Splits the batches of a step among the replicas of a model, along the first dimension, and merges their outputs into
// those of a step with the whole batch.
#pragma once
#include <cstdint>
#include <vector>

#include "core/components/step_outputs.hpp"
#include "core/data/source/batch.hpp"

namespace levin::core {

// Parts differ by at most one row. A tensor whose first dimension is not the batch's number of rows goes to all
// replicas unchanged. There are at most as many parts as the smallest batch has rows.
class BatchParts {
 public:
  // Makes at most one part for each device. `in` must outlive the parts.
  BatchParts(const levin_step_in& in, const std::vector<at::Device>& devices);

  size_t size() const { return rows_.size(); }
  const std::vector<int64_t>& rows() const { return rows_; }  // of in.batch, for each part
  // Returns the step arguments of one part, valid as long as this object.
  levin_step_in arguments(size_t part) const;

 private:
  struct Part {
    std::vector<Batch> batches;
    std::vector<std::vector<const char*>> names;  // of the batches' fields
    std::vector<const levin_batch*> raw;          // nullptr = the loader is exhausted
    const levin_batch* first = nullptr;
  };
  Part cut(size_t part, size_t parts, at::Device device) const;

  const levin_step_in& in_;
  std::vector<const levin_batch*> batches_;
  std::vector<Part> parts_;
  std::vector<int64_t> rows_;
};

// Merges one StepOutputs for each part, in order; rows: the number of rows of each part. Tensors with a first dimension
// are concatenated; floating-point scalars become their mean, weighted by rows; integer scalars are summed. The merged
// loss therefore has the gradients of the whole batch. A part whose step returned nothing is ignored. Hidden states are
// not merged. Throws Error{run} that names the output if the parts do not match.
StepOutputs gather_outputs(const std::vector<StepOutputs>& parts, const std::vector<int64_t>& rows, at::Device device);

}  // namespace levin::core
