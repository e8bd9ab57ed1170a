// The batches of one pass over the combined loaders of a split, with detection of the last batch.
#pragma once
#include <functional>
#include <utility>

#include "core/data/combined_loader.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

// The batches of all loaders in one step.
struct BatchGroup {
  std::vector<Batch*> parts;  // one per loader; nullptr = no batch in this step
  int64_t batch_idx = 0;
  int64_t dataloader_idx = 0;
  bool together = true;     // false if the loaders are used one after another
  std::vector<Batch> kept;  // owns the batches of `parts` if the feed reads ahead
};

// Reads one step ahead if the length of a loader is unknown, because the last batch cannot be detected otherwise.
class BatchFeed {
 public:
  // limits: the number of batches to use of each loader; -1 = all.
  BatchFeed(std::vector<std::unique_ptr<Loader>>& loaders, CombinedMode mode, std::vector<int64_t> limits);
  // For a pass that all processes have to end together: called with true if this process has another batch; returns
  // true if all processes have one.
  using Agree = std::function<bool(bool mine)>;
  void end_together(Agree agree) { agree_ = std::move(agree); }
  // Starts at step `first` of the epoch. With several loaders, the steps before `first` are made and dropped. most: the
  // number of steps in the pass; -1 = unknown.
  void begin_epoch(int64_t epoch, int64_t first, int64_t most);
  BatchGroup* next();  // valid until the next call; nullptr = the pass is over
  // Returns true if the group last returned by next() was the last of the pass.
  bool done() const { return reached_most() || (reads_ahead_ && !ahead_); }

 private:
  bool reached_most() const { return most_ >= 0 && taken_ >= most_; }
  Batch& keep(BatchGroup& group, size_t i);
  bool advance(size_t i);
  void restart(size_t i);
  BatchGroup* make();

  std::vector<std::unique_ptr<Loader>>& loaders_;
  CombinedMode mode_;
  Agree agree_;
  std::vector<int64_t> limits_;
  std::optional<CombinedLoader> combined_;
  CombinedLoader::Step step_;
  std::vector<Batch*> current_;
  std::vector<int64_t> begun_;  // how often each loader was started in this pass
  BatchGroup groups_[2];
  size_t turn_ = 0;
  bool reads_ahead_ = false;
  BatchGroup* ahead_ = nullptr;
  int64_t epoch_ = 0, first_ = 0, most_ = -1, taken_ = 0;
};

}  // namespace levin::core
