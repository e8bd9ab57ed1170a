// The batches of one pass over the loaders of a split, combined, with the knowledge of which is the last.
#pragma once
#include "core/data/combined_loader.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

// What the loaders give in one step.
struct BatchGroup {
  std::vector<Batch*> parts;  // one a loader; nullptr: it has none
  int64_t batch_idx = 0;
  int64_t dataloader_idx = 0;
  bool together = true;     // false: one loader after another
  std::vector<Batch> kept;  // what parts point to where the next group is made already
};

// Where the lengths of all loaders are known nothing is read ahead; else one step is.
class BatchFeed {
 public:
  // limits: batches of each loader, -1 all. Starts at step `first` of the epoch; with several loaders the steps before
  // are made and dropped. most: steps of the pass, -1 unknown.
  BatchFeed(std::vector<std::unique_ptr<Loader>>& loaders, CombinedMode mode, std::vector<int64_t> limits);
  void begin_epoch(int64_t epoch, int64_t first, int64_t most);
  BatchGroup* next();  // valid until the next call; nullptr: the pass is over
  bool done() const { return reached_most() || (reads_ahead_ && !ahead_); }  // after next: that was the last

 private:
  bool reached_most() const { return most_ >= 0 && taken_ >= most_; }
  Batch& keep(BatchGroup& group, size_t i);
  bool advance(size_t i);
  void restart(size_t i);
  BatchGroup* make();

  std::vector<std::unique_ptr<Loader>>& loaders_;
  CombinedMode mode_;
  std::vector<int64_t> limits_;
  std::optional<CombinedLoader> combined_;
  CombinedLoader::Step step_;
  std::vector<Batch*> current_;
  std::vector<int64_t> begun_;  // how often each loader began in this pass
  BatchGroup groups_[2];
  size_t turn_ = 0;
  bool reads_ahead_ = false;
  BatchGroup* ahead_ = nullptr;
  int64_t epoch_ = 0, first_ = 0, most_ = -1, taken_ = 0;
};

}  // namespace levin::core
