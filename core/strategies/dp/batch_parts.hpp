// The batches of a step, shared out over the replicas of a model along their first dimension.
#pragma once
#include <cstdint>
#include <vector>

#include "core/data/source/batch.hpp"

namespace levin::core {

// The parts differ by a row at most. A tensor that does not have a row for each row of its batch goes to all replicas
// as it is. Where there are fewer rows than devices, as many parts are made as there are rows, of several loaders those
// of the smallest batch.
class BatchParts {
 public:
  // A part for each of these devices. `in` has to live as long as the parts.
  BatchParts(const levin_step_in& in, const std::vector<at::Device>& devices);

  size_t size() const { return rows_.size(); }
  const std::vector<int64_t>& rows() const { return rows_; }  // of each part of the first batch
  // The arguments of the step with the batches of one part; valid as long as this object.
  levin_step_in arguments(size_t part) const;

 private:
  struct Part {
    std::vector<Batch> batches;
    std::vector<std::vector<const char*>> names;  // of their fields
    std::vector<const levin_batch*> raw;          // nullptr: the loader is exhausted
    const levin_batch* first = nullptr;
  };
  Part cut(size_t part, size_t parts, at::Device device) const;

  const levin_step_in& in_;
  std::vector<const levin_batch*> batches_;
  std::vector<Part> parts_;
  std::vector<int64_t> rows_;
};

}  // namespace levin::core
