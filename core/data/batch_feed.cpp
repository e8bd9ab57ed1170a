#include "core/data/batch_feed.hpp"

#include <algorithm>

namespace levin::core {

BatchFeed::BatchFeed(std::vector<std::unique_ptr<Loader>>& loaders, CombinedMode mode, std::vector<int64_t> limits)
    : loaders_(loaders), mode_(mode), limits_(std::move(limits)), current_(loaders.size()), begun_(loaders.size()) {}

void BatchFeed::begin_epoch(int64_t epoch, int64_t first, int64_t most) {
  std::vector<CombinedLoader::Source> sources;
  for (size_t i = 0; i < loaders_.size(); ++i)
    sources.push_back({[this, i] { return advance(i); }, [this, i] { restart(i); }});
  combined_.emplace(mode_, std::move(sources));
  begun_.assign(loaders_.size(), 0);
  epoch_ = epoch;
  most_ = most;
  taken_ = first;
  first_ = loaders_.size() == 1 ? first : 0;
  for (int64_t i = first_; i < first; ++i)
    if (!combined_->next(step_)) break;
  reads_ahead_ =
      most_ < 0 || std::any_of(loaders_.begin(), loaders_.end(), [](const auto& loader) { return !loader->size(); });
  ahead_ = reads_ahead_ ? make() : nullptr;
}

// Starts a loader when its first batch is needed, so that sequential loaders never run their workers at the same time.
bool BatchFeed::advance(size_t i) {
  if (begun_[i] == 0) restart(i);
  current_[i] = loaders_[i]->next();
  return current_[i] != nullptr;
}

// Each cycle of a loader counts as a separate epoch, with its own order and augmentations.
void BatchFeed::restart(size_t i) {
  const int64_t cycle = begun_[i]++;
  loaders_[i]->begin_epoch(epoch_ + (cycle << 32), cycle == 0 ? first_ : 0, limits_[i]);
}

// A loader reuses its batch when the next one is requested, so the group keeps the batch's tensors.
Batch& BatchFeed::keep(BatchGroup& group, size_t i) {
  group.kept.resize(loaders_.size());
  Batch& batch = group.kept[i];
  batch.tensors = current_[i]->tensors;
  batch.sample_ids = current_[i]->sample_ids;
  batch.scales = current_[i]->scales;
  batch.publish(loaders_[i]->field_names());
  return batch;
}

BatchGroup* BatchFeed::make() {
  const bool has = combined_->next(step_);
  if (agree_ ? !agree_(has) : !has) return nullptr;
  BatchGroup& group = groups_[turn_++ % 2];
  group.parts.assign(loaders_.size(), nullptr);
  for (size_t i = 0; i < loaders_.size(); ++i)
    if (step_.present[i]) group.parts[i] = reads_ahead_ ? &keep(group, i) : current_[i];
  group.together = mode_ != CombinedMode::sequential || loaders_.size() == 1;
  group.batch_idx = step_.batch_idx + first_;
  group.dataloader_idx = step_.dataloader_idx;
  return &group;
}

BatchGroup* BatchFeed::next() {
  if (reached_most()) return nullptr;
  BatchGroup* group = reads_ahead_ ? ahead_ : make();
  if (!group) return nullptr;
  ++taken_;
  ahead_ = reads_ahead_ && !reached_most() ? make() : nullptr;
  return group;
}

}  // namespace levin::core
