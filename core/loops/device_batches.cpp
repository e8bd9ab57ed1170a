#include "core/loops/device_batches.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>

#include <utility>

#include "core/base/text.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

// "field 'x' is NaN or infinite in 2 of 32 rows, first in row 3, sample 17"
std::string describe_rows(const Batch& batch, const std::string& whose, const std::string& field,
                          const at::Tensor& values) {
  const std::string text = "field '" + field + "' of " + whose + " is NaN or infinite";
  const at::NoGradGuard no_grad;
  if (values.dim() == 0 || values.size(0) != batch.rows() || values.layout() != at::kStrided) return text;
  const at::Tensor bad = at::isfinite(values.detach()).logical_not().reshape({batch.rows(), -1}).any(1).nonzero();
  const int64_t row = bad.select(0, 0).select(0, 0).item<int64_t>();
  const bool known = batch.sample_ids.size() == static_cast<size_t>(batch.rows());
  return text + " in " + std::to_string(bad.size(0)) + " of " + std::to_string(batch.rows()) + " rows, first in row " +
         std::to_string(row) + (known ? ", sample " + std::to_string(batch.sample_ids[static_cast<size_t>(row)]) : "");
}

// Clones also tensors of one channel, whose strides do not say where the channels are.
void put_channels_last(Batch& batch, const std::vector<const char*>& names) {
  constexpr at::MemoryFormat last = at::MemoryFormat::ChannelsLast;
  for (at::Tensor& t : batch.tensors)
    if (t.dim() == 4 && t.layout() == at::kStrided && t.suggest_memory_format() != last) t = t.clone(last);
  batch.publish(names);
}

}  // namespace

DeviceBatches::DeviceBatches(const Model& model, const Precision& precision, const Strategy& strategy,
                             RunProgress& progress)
    : model_(model),
      strategy_(strategy),
      input_type_(precision.input_dtype()),
      progress_(progress),
      needed_(!strategy.device().is_cpu() || input_type_ != at::ScalarType::Undefined ||
              model.overrides().has_batch_transfer()) {
  if (!strategy.device().is_cpu()) copies_ = std::make_unique<BatchCopies>(strategy.device());
}

void DeviceBatches::enter(const BatchGroup& group, int64_t n_batches) {
  LoopPlace& place = progress_.place;
  place.dataloader_idx = group.dataloader_idx;
  place.n_batches = n_batches;
  place.batch_idx = group.batch_idx;
}

void DeviceBatches::move(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders,
                         bool channels_last) {
  while (moved_.size() < loaders.size()) moved_.push_back(std::make_unique<Batch>());
  raw_.clear();
  in_hand_.clear();
  first_ = nullptr;
  int64_t& loader = progress_.place.dataloader_idx;
  const int64_t before = loader;
  for (size_t i = 0; i < group.parts.size(); ++i) {
    if (!group.parts[i]) {
      if (group.together) raw_.push_back(nullptr);
      continue;
    }
    if (loaders.size() > 1) loader = static_cast<int64_t>(i);
    const std::vector<const char*>& names = loaders[i]->field_names();
    const bool copied = needed_ || channels_last || group.parts[i]->scales;
    Batch& batch = copied ? transfer(*group.parts[i], i, names) : *group.parts[i];
    if (channels_last) put_channels_last(batch, names);
    raw_.push_back(batch.raw());
    in_hand_.push_back(&batch);
    if (first_) continue;
    first_ = &batch;
    names_ = &names;
  }
  loader = before;
}

Batch& DeviceBatches::move(Batch& batch, size_t loader, const std::vector<const char*>& names) {
  if (!needed_) return batch;
  while (moved_.size() <= loader) moved_.push_back(std::make_unique<Batch>());
  const int64_t before = std::exchange(progress_.place.dataloader_idx, static_cast<int64_t>(loader));
  Batch& moved = transfer(batch, loader, names);
  progress_.place.dataloader_idx = before;
  return moved;
}

void DeviceBatches::to_device(std::vector<at::Tensor>& tensors) {
  const auto copy = [this](const at::Tensor& t) { return strategy_.to_device(t); };
  if (copies_) return copies_->run(tensors, copy);
  for (at::Tensor& t : tensors) t = copy(t);
}

Batch& DeviceBatches::transfer(Batch& batch, size_t loader, const std::vector<const char*>& names) {
  Batch& moved = *moved_[loader];
  moved.tensors = batch.tensors;
  moved.sample_ids = batch.sample_ids;
  const ModelOverrides& overrides = model_.overrides();
  moved.publish(names);
  if (overrides.on_before_batch_transfer(*moved.raw(), moved.tensors)) moved.publish(names);
  if (!overrides.transfer_batch_to_device(*moved.raw(), strategy_.device(), moved.tensors)) to_device(moved.tensors);
  if (batch.scales) {
    if (numbers_.size() <= loader) numbers_.resize(loader + 1);
    numbers_[loader].make(moved.tensors, batch.scales);
  }
  if (input_type_ != at::ScalarType::Undefined)
    for (at::Tensor& t : moved.tensors)
      if (t.is_floating_point()) t = t.to(input_type_);
  moved.publish(names);
  if (overrides.on_after_batch_transfer(*moved.raw(), moved.tensors)) moved.publish(names);
  return moved;
}

std::string DeviceBatches::non_finite_fields() const {
  const std::string whose = strategy_.several() ? "this rank's batch" : "the batch";
  std::vector<std::string> found;
  for (const Batch* batch : in_hand_)
    for (size_t i = 0; i < batch->tensors.size(); ++i) {
      if (is_finite(batch->tensors[i])) continue;
      const char* const* names = batch->raw()->names;
      found.push_back(describe_rows(*batch, whose, names ? names[i] : std::to_string(i), batch->tensors[i]));
    }
  if (found.empty() && !in_hand_.empty()) return "all fields of " + whose + " are finite";
  return join(found, "; ");
}

void DeviceBatches::show(levin_event& event) const {
  event.batch = first_->raw();
  event.batches = raw_.data();
  event.n_loaders = raw_.size();
}

void DeviceBatches::show(levin_step_in& in) const {
  in.batch = first_->raw();
  in.batches = raw_.data();
  in.n_batches = raw_.size();
}

}  // namespace levin::core
