#include "core/loops/step_batches.hpp"

namespace levin::core {

void StepBatches::take(const BatchGroup& group, const std::vector<std::unique_ptr<Loader>>& loaders) {
  while (transfers_.size() < loaders.size())
    transfers_.push_back(std::make_unique<BatchTransfer>(c_.model, c_.precision, c_.strategy));
  raw_.clear();
  first_ = nullptr;
  int64_t& loader = c_.at().dataloader_idx;
  const int64_t before = loader;
  for (size_t i = 0; i < group.parts.size(); ++i) {
    if (!group.parts[i]) {
      if (group.together) raw_.push_back(nullptr);
      continue;
    }
    if (loaders.size() > 1) loader = static_cast<int64_t>(i);
    Batch& moved = (*transfers_[i])(*group.parts[i], loaders[i]->field_names());
    raw_.push_back(moved.raw());
    if (first_) continue;
    first_ = &moved;
    names_ = &loaders[i]->field_names();
  }
  loader = before;
}

void StepBatches::show(levin_event& event) const {
  event.batch = first_->raw();
  event.batches = raw_.data();
  event.n_loaders = raw_.size();
}

void StepBatches::show(levin_step_in& in) const {
  in.batch = first_->raw();
  in.batches = raw_.data();
  in.n_batches = raw_.size();
}

}  // namespace levin::core
