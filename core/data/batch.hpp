// A batch in the host: tensors, and their C form for plugins.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "core/components/data_module.hpp"

namespace levin::core {

// The rows of a batch: the first tensor's first dimension; 1 where that is a single number. Throws Error{data} for a
// batch without tensors.
int64_t batch_size_of(const std::vector<at::Tensor>& tensors);

class Batch {
 public:
  std::vector<at::Tensor> tensors;
  std::vector<int64_t> sample_ids;  // empty: not known

  // Brings the C form up to date with the tensors. names: of the fields, alive as long as the batch.
  void publish(const std::vector<const char*>& names);
  const levin_batch* raw() const { return &raw_; }
  int64_t rows() const { return raw_.rows; }

 private:
  std::vector<levin_tensor*> handles_;
  levin_batch raw_{};
};

// Row-major CPU tensors for the rows of one loader, refilled batch after batch while nobody else holds them.
class BatchSlot {
 public:
  // fields outlive the slot.
  BatchSlot(const std::vector<FieldInfo>& fields, int64_t capacity, bool pinned);
  // Views of `rows` rows, safe to overwrite: what somebody still holds is replaced by fresh memory.
  Batch& prepare(int64_t rows);
  Batch& batch() { return batch_; }

 private:
  at::Tensor allocate(const FieldInfo& field) const;
  bool free_to_reuse(size_t field) const;

  const std::vector<FieldInfo>& fields_;
  int64_t capacity_;
  bool pinned_;
  std::vector<at::Tensor> whole_;
  Batch batch_;
};

}  // namespace levin::core
