// One loader of one split. Makes batches in the sampler's order, on the calling thread or ahead of the loop on worker
// threads. The batches do not depend on the number of workers.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/fill_cost.hpp"
#include "core/data/sampler.hpp"
#include "core/data/source/byte_numbers.hpp"
#include "core/data/source/row_source.hpp"
#include "core/data/worker_pool.hpp"

namespace levin::core {

struct LoaderOptions {
  int64_t batch_size = 32;        // 0 = a stream that chooses its batch size
  bool batch_size_given = false;  // set by the user, so a stream may not have larger batches
  bool shuffle = false;
  bool drop_last = false;
  bool pin_memory = false;
  bool move_bytes = false;  // batches have the bytes that fields stand for, if the data module writes them
  std::optional<int64_t> num_workers = 0;  // nullopt = chosen by the cost of the first batches
  int64_t cores = 1;                       // the most workers that are chosen
  int64_t prefetch_factor = 2;
  uint64_t seed = 0;
  std::shared_ptr<const Sampler> sampler = nullptr;  // nullptr = chosen by `shuffle`
  Share share = {};
  // Returns the epoch that is expected after this one, whose first batches idle workers may fill already; nullopt =
  // none.
  std::function<std::optional<int64_t>(int64_t epoch)> next_epoch = nullptr;
};

class Loader {
 public:
  Loader(const DataModule& data, uint32_t split, uint32_t loader, SplitInfo info, const LoaderOptions& options);

  // Returns the number of batches in an epoch, or nullopt if unknown.
  std::optional<int64_t> size() const { return size_of(options_.share); }
  // Returns size() of the process with the most batches.
  std::optional<int64_t> most() const;
  std::optional<int64_t> least() const;  // of the process with the fewest
  // Starts an epoch at batch `first`. The epoch ends after `limit` batches, counted from its start; -1 = all.
  void begin_epoch(int64_t epoch, int64_t first = 0, int64_t limit = -1);
  // Returns the next batch, valid until the next call, or nullptr when the epoch has ended. Tensors of it that are
  // still referenced keep their values.
  Batch* next();
  void end_epoch();
  // Returns these rows in this order, augmented as in that epoch; not for streams. Throws Error{usage} for a row that
  // does not exist. May be called during an epoch.
  Batch rows(const std::vector<int64_t>& indices, int64_t epoch);

  int64_t workers() const { return workers_ ? workers_->size() : 0; }
  bool is_stream() const { return source_->is_stream(); }
  const SplitInfo& info() const { return info_; }
  const std::vector<const char*>& field_names() const { return names_; }

 private:
  void start_workers(int64_t n);
  BatchSlot* fill_here();
  void choose_workers();
  void order_epoch(int64_t epoch);
  void go_ahead();
  bool goes_on_with(int64_t epoch, int64_t first, int64_t end);
  bool fill(int64_t number, BatchSlot& slot);
  bool fetch(int64_t number, BatchSlot& slot);
  bool stream_to(int64_t batches, BatchSlot& slot);
  void finish_turn();
  std::optional<int64_t> size_of(const Share& share) const;
  Fetch fetch_of(int64_t number) const;
  void watch_values(BorderWatch& watch, const Batch& batch) const;
  int64_t rows_of(int64_t number) const;
  int64_t rows_in_epoch() const;

  SplitInfo info_;
  std::shared_ptr<const ByteScales> scales_;  // nullptr = batches have numbers
  SplitInfo moved_;                           // info_ with the types of batches
  LoaderPlace place_;
  LoaderOptions options_;
  std::vector<const char*> names_;
  std::unique_ptr<RowSource> source_;
  std::shared_ptr<const Sampler> sampler_;
  std::vector<int64_t> order_;
  int64_t ordered_epoch_ = -1;
  int64_t epoch_ = 0, next_batch_ = 0, end_ = -1;
  int64_t streamed_ = 0;  // batches read of a stream in this epoch, of all processes
  std::vector<std::unique_ptr<BatchSlot>> slots_;
  size_t turn_ = 0;
  int64_t capacity_ = 0;  // the most rows of a batch
  int64_t base_ = 0;      // the workers' number of an epoch's first batch
  bool ahead_ = false;    // the epoch has been handed out; epoch_ and order_ are those of the next one

  using Clock = std::chrono::steady_clock;
  std::optional<FillCost> cost_;  // while the number of workers is not chosen
  std::optional<Clock::time_point> handed_out_;
  std::unique_ptr<WorkerPool> workers_;  // the last member, so that its threads end before the others
};

}  // namespace levin::core
