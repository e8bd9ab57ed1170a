// One loader of one split: batches in the sampler's order, made here or by workers ahead of the loop.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/data/row_source.hpp"
#include "core/data/sampler.hpp"
#include "core/data/worker_pool.hpp"

namespace levin::core {

struct LoaderOptions {
  int64_t batch_size = 32;
  bool shuffle = false;
  bool drop_last = false;
  bool pin_memory = false;
  int64_t num_workers = 0;
  int64_t prefetch_factor = 2;
  uint64_t seed = 0;
  std::shared_ptr<const Sampler> sampler = nullptr;  // nullptr: as shuffle says
  Share share = {};
};

class Loader {
 public:
  Loader(const DataModule& data, uint32_t split, uint32_t loader, SplitInfo info, const LoaderOptions& options);

  // Batches in an epoch; nullopt: unknown.
  std::optional<int64_t> size() const;
  // Starts an epoch at batch `first`; at most `limit` batches from the epoch's start are made.
  void begin_epoch(int64_t epoch, int64_t first = 0, int64_t limit = -1);
  // Valid until the next call; nullptr: the epoch has ended. Tensors that somebody still holds then are left alone.
  Batch* next();
  int64_t position() const { return position_; }  // batches handed out in this epoch
  void end_epoch();

  const SplitInfo& info() const { return info_; }
  const std::vector<const char*>& field_names() const { return names_; }
  const LoaderOptions& options() const { return options_; }

 private:
  bool fill(int64_t number, BatchSlot& slot);
  int64_t rows_of(int64_t number) const;
  int64_t rows_in_epoch() const;

  SplitInfo info_;
  LoaderOptions options_;
  std::vector<const char*> names_;
  std::unique_ptr<RowSource> source_;
  std::shared_ptr<const Sampler> sampler_;
  std::vector<int64_t> order_;
  int64_t ordered_epoch_ = -1;
  int64_t epoch_ = 0, position_ = 0, end_ = -1;
  std::vector<std::unique_ptr<BatchSlot>> slots_;
  size_t turn_ = 0;
  std::unique_ptr<WorkerPool> workers_;
};

}  // namespace levin::core
