#include "core/data/source/batch.hpp"

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {

int64_t batch_size_of(const std::vector<at::Tensor>& tensors) {
  if (tensors.empty())
    throw Error(ErrorCode::internal_error,
                "a batch without tensors has no batch_size");  // its sources and hooks are checked before
  return tensors[0].dim() == 0 ? 1 : tensors[0].size(0);
}

void Batch::publish(const std::vector<const char*>& names) {
  handles_.resize(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) handles_[i] = borrow(tensors[i]);
  raw_.size = sizeof raw_;
  raw_.n = static_cast<uint32_t>(tensors.size());
  raw_.tensors = handles_.data();
  raw_.names = names.size() == tensors.size() ? names.data() : nullptr;
  raw_.rows = batch_size_of(tensors);
  raw_.sample_ids = sample_ids.empty() ? nullptr : sample_ids.data();
}

BatchSlot::BatchSlot(const std::vector<FieldInfo>& fields, int64_t capacity, bool pinned)
    : fields_(fields), capacity_(capacity), pinned_(pinned), whole_(fields.size()) {
  batch_.tensors.resize(fields.size());
}

at::Tensor BatchSlot::allocate(const FieldInfo& field) const {
  std::vector<int64_t> shape = {capacity_};
  shape.insert(shape.end(), field.shape.begin(), field.shape.end());
  return at::empty(shape, at::TensorOptions().dtype(scalar_type(field.dtype)).pinned_memory(pinned_));
}

// Returns true if the reference count equals the slot's own references: the whole tensor and, for a short batch, a view
// of it.
bool BatchSlot::free_to_reuse(size_t field) const {
  const at::Tensor& whole = whole_[field];
  const at::Tensor& view = batch_.tensors[field];
  if (!whole.defined()) return false;
  const bool same = view.is_same(whole);
  const size_t own_tensors = same ? 2 : 1;
  const size_t own_storages = same || !view.defined() ? 1 : 2;
  return whole.use_count() == own_tensors && (same || !view.defined() || view.use_count() == 1) &&
         whole.storage().use_count() <= own_storages;
}

Batch& BatchSlot::prepare(int64_t rows) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (!free_to_reuse(i)) {
      batch_.tensors[i].reset();
      whole_[i] = allocate(fields_[i]);
    }
    const at::Tensor& view = batch_.tensors[i];
    if (view.defined() && view.size(0) == rows) continue;
    batch_.tensors[i] = rows == capacity_ ? whole_[i] : whole_[i].narrow(0, 0, rows);
  }
  batch_.sample_ids.resize(static_cast<size_t>(rows));
  return batch_;
}

}  // namespace levin::core
