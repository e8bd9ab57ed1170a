#include "core/loops/batch_transfer.hpp"

#include "core/components/tensor_handle.hpp"

namespace levin::core {

BatchTransfer::BatchTransfer(const Model& model, const Precision& precision, const Strategy& strategy)
    : model_(model), precision_(precision), strategy_(strategy) {
  const levin_model* table = &model.table();
  needed_ = !strategy.device().is_cpu() || precision.input_dtype() != at::ScalarType::Undefined ||
            LEVIN_HAS(levin_model, table, on_before_batch_transfer) ||
            LEVIN_HAS(levin_model, table, transfer_batch_to_device) ||
            LEVIN_HAS(levin_model, table, on_after_batch_transfer);
}

Batch& BatchTransfer::operator()(Batch& batch, const std::vector<const char*>& names) {
  if (!needed_) return batch;
  moved_.tensors = batch.tensors;
  moved_.sample_ids = batch.sample_ids;
  const levin_model* table = &model_.table();
  if (LEVIN_HAS(levin_model, table, on_before_batch_transfer))
    run_hook("on_before_batch_transfer", table->on_before_batch_transfer, names);
  to_device(names);
  convert();
  if (LEVIN_HAS(levin_model, table, on_after_batch_transfer))
    run_hook("on_after_batch_transfer", table->on_after_batch_transfer, names);
  moved_.publish(names);
  return moved_;
}

void BatchTransfer::run_hook(const char* name, Hook hook, const std::vector<const char*>& names) {
  moved_.publish(names);
  std::vector<levin_tensor*> out(moved_.tensors.size());
  model_.invoke(name, [&] { return hook(model_.self(), moved_.raw(), out.data(), static_cast<uint32_t>(out.size())); });
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i]) moved_.tensors[i] = own(out[i]);
}

void BatchTransfer::to_device(const std::vector<const char*>& names) {
  const levin_model* table = &model_.table();
  if (!LEVIN_HAS(levin_model, table, transfer_batch_to_device)) {
    for (at::Tensor& t : moved_.tensors) t = strategy_.to_device(t);
    return;
  }
  moved_.publish(names);
  std::vector<levin_tensor*> out(moved_.tensors.size());
  model_.invoke("transfer_batch_to_device", [&] {
    return table->transfer_batch_to_device(model_.self(), moved_.raw(), device_of(strategy_.device()), out.data(),
                                           static_cast<uint32_t>(out.size()));
  });
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i]) moved_.tensors[i] = own(out[i]);
}

void BatchTransfer::convert() {
  const at::ScalarType type = precision_.input_dtype();
  if (type == at::ScalarType::Undefined) return;
  for (at::Tensor& t : moved_.tensors)
    if (t.is_floating_point()) t = t.to(type);
}

}  // namespace levin::core
