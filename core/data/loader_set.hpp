// The loaders of a run, made for each split on first use.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/data/combined_loader.hpp"
#include "core/data/loader.hpp"

namespace levin::core {

class LoaderSet {
 public:
  LoaderSet(const DataModule& data, const LoaderDefaults& options, const RunPlan& plan, uint64_t seed,
            const Share& share = {});
  LoaderSet(const LoaderSet&) = delete;
  LoaderSet& operator=(const LoaderSet&) = delete;

  // The listener is called before the loaders of a split are made.
  void on_make(std::function<void(uint32_t split)> listener) { on_make_ = std::move(listener); }
  void on_warning(Warn warn) { warn_ = std::move(warn); }
  const DataModule& data() const { return data_; }
  bool exists(uint32_t split) const;  // returns true if the data has this split; makes no loader
  std::vector<std::unique_ptr<Loader>>& get(uint32_t split);
  void reload(uint32_t split);
  int64_t batch_size() const { return options_.batch_size; }  // of the training loaders
  void set_batch_size(int64_t rows);                          // the training loaders are made anew
  int64_t num_workers() const;                                // of the training loaders, as they are now
  void set_num_workers(int64_t workers);                      // loaders that exist are made anew
  int64_t rows(uint32_t split);                               // of all loaders; -1 = unknown
  bool is_made(uint32_t split) const { return is_made_[split]; }
  void set_epoch(int64_t epoch) { epoch_ = epoch; }  // the epoch passed to data modules when loaders are made
  int64_t made_in_epoch(uint32_t split) const { return made_in_epoch_[split]; }
  CombinedMode mode(uint32_t split);
  // Returns the number of batches that this process uses of one loader, within the run's limits.
  int64_t batches(uint32_t split, size_t loader);
  std::vector<int64_t> limits(uint32_t split);  // batches() of each loader
  int64_t total_batches(uint32_t split);        // of the combination; `unlimited` if a loader's number is
  // The same for the process with the most batches. Plugins get these numbers, which are the same in all processes.
  std::vector<int64_t> most_limits(uint32_t split);
  int64_t most_batches(uint32_t split);
  bool has_stream(uint32_t split);  // a stream may end before its number of batches
  // Returns why a split gave no batch, for messages: "libx.so: x: split train ...".
  std::string why_empty(uint32_t split);

 private:
  void make(uint32_t split);
  std::optional<int64_t> epoch_after(uint32_t split, int64_t epoch) const;
  std::unique_ptr<Sampler> sampler_of(const LoaderPlace& place, const levin_loader& request) const;
  std::unique_ptr<Sampler> bucketed(const LoaderPlace& place, int64_t batch_size, std::unique_ptr<Sampler> rows) const;
  std::unique_ptr<Loader> make_loader(uint32_t split, uint32_t loader, SplitInfo info);
  bool has_only_streams() const;
  void warn_of_large_batch(const SplitInfo& info, int64_t batch_size);
  void turn_shuffling_off(levin_loader& request);
  const Limit& limit(uint32_t split) const;
  int64_t most_of(uint32_t split, size_t loader);
  int64_t combined(uint32_t split, const std::vector<int64_t>& limits);

  const DataModule& data_;
  LoaderDefaults options_;
  const RunPlan& plan_;
  uint64_t seed_;
  Share share_;  // this process's share of each loader's rows
  std::function<void(uint32_t)> on_make_;
  Warn warn_;
  bool warned_of_order_ = false, warned_of_batch_ = false;
  std::array<std::vector<std::unique_ptr<Loader>>, LEVIN_SPLITS> made_;
  std::array<bool, LEVIN_SPLITS> is_made_{};
  std::array<int64_t, LEVIN_SPLITS> made_in_epoch_{};
  std::array<std::optional<CombinedMode>, LEVIN_SPLITS> mode_;
  int64_t epoch_ = 0;
};

}  // namespace levin::core
