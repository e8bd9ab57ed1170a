// How far a fit is; what a checkpoint says of the loops.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/progress/progress_counter.hpp"

namespace levin::core {

// What a batch still needs after its step; a checkpoint can be made in between.
enum class BatchTail {
  none,
  logging,    // its metrics, a validation that is due, and what follows
  schedules,  // validated: the schedules that go by steps and monitor
};

struct FitProgress {
  Progress epoch, batch, schedule;
  OptimProgress optim;
  Progress val_batch;  // of validations; its total starts anew with each training epoch
  int64_t batches_that_stepped = 0;
  int64_t accumulate_grad_batches = 1;  // batches in a window, now
  double train_seconds = 0;
  bool is_last_batch = false, is_last_val_batch = false;
  bool within_epoch = false;             // resumed in the middle of an epoch
  bool epoch_schedules_pending = false;  // a checkpoint of the epoch's end comes before its schedules that monitor
  bool resumed_at_epoch_end = false;     // from a checkpoint of the hooks of an epoch's end
  BatchTail tail = BatchTail::none;
  bool window_open = false;  // gradients are being accumulated
  bool epoch_cut = false;    // the epoch ended, by a limit of the run, before its batches did
  bool skip_epoch = false;   // somebody asked to leave the epoch after this batch
  std::chrono::steady_clock::time_point epoch_start{};  // while an epoch runs

  int64_t epochs_processed() const { return epoch.total.processed; }  // raised before the hooks of an epoch's end
  double seconds() const {
    if (epoch_start == std::chrono::steady_clock::time_point{}) return train_seconds;
    return train_seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - epoch_start).count();
  }
  void begin_epoch();  // what is counted by epoch starts anew, but after a resume within one

  // A count by its name in Lightning's checkpoints, "epoch_loop.batch_progress.total.ready"; nullopt: no such name.
  std::optional<int64_t> count(const std::string& name) const;

  nlohmann::json state_dict(int64_t epochs_completed, int64_t global_step) const;
  // Also at the end of an epoch that max_steps or a stop had cut: a longer run goes on within it.
  static bool made_within_epoch(const nlohmann::json& state);
  // Returns the completed epochs. A checkpoint made at an epoch's end goes on with the next one; one made while a batch
  // failed does that batch again.
  int64_t load_state_dict(const nlohmann::json& state);
};

// Somebody's wish to end the fit, from any thread.
class StopRequest {
 public:
  void ask(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!asked_) reason_ = reason;
    asked_ = true;
  }
  bool asked() const { return asked_; }
  void withdraw() { asked_ = false; }
  std::string reason() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reason_;
  }

 private:
  std::atomic<bool> asked_{false};
  mutable std::mutex mutex_;
  std::string reason_;
};

// A signal that ends the run after the batch in hand.
struct Interrupt {
  int signal;
};

}  // namespace levin::core
