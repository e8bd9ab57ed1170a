// A batch in the host: its tensors, and the C struct that plugins get.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/components/data_module.hpp"

namespace levin::core {

// Returns the number of rows of a batch: the first dimension of its first tensor, or 1 if that tensor is a scalar.
// Throws Error{data} for a batch without tensors.
int64_t batch_size_of(const std::vector<at::Tensor>& tensors);

struct ByteScales;

class Batch {
 public:
  std::vector<at::Tensor> tensors;
  std::vector<int64_t> sample_ids;                     // index of each row in the data; empty = unknown
  std::shared_ptr<const ByteScales> scales = nullptr;  // of tensors that are still bytes; nullptr = none is

  // Updates the C struct from the tensors. names: the fields' names, which must live as long as the batch.
  void publish(const std::vector<const char*>& names);
  const levin_batch* raw() const { return &raw_; }
  int64_t rows() const { return raw_.rows; }

 private:
  std::vector<levin_tensor*> handles_;
  levin_batch raw_{};
};

// Row-major CPU tensors for one batch of a loader. They are reused for a later batch unless something still references
// them.
class BatchSlot {
 public:
  // The fields must outlive the slot. capacity: the maximum number of rows.
  BatchSlot(const std::vector<FieldInfo>& fields, int64_t capacity, bool pinned);
  // Returns tensors of `rows` rows that are safe to overwrite: a tensor that is still referenced is replaced by a new
  // one.
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
