// How far a fit is; what a checkpoint says of the loops.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

// Batches of one epoch by what has happened to them.
struct BatchProgress {
  int64_t ready = 0, started = 0, processed = 0, completed = 0;
  void reset() { *this = {}; }
};

// What a batch still needs after its step; a checkpoint can be made in between.
enum class BatchTail {
  none,
  logging,    // its metrics, a validation that is due, and what follows
  schedules,  // validated: the schedules that go by steps and monitor
};

struct FitProgress {
  int64_t epochs_processed = 0;  // raised before the hooks of an epoch's end; completed ones are in Position
  BatchProgress batch;           // of the epoch
  int64_t total_batches = 0;     // over all epochs
  int64_t batches_that_stepped = 0;
  int64_t skipped_batches = 0;
  double train_seconds = 0;
  bool is_last_batch = false;
  bool epoch_schedules_pending = false;  // a checkpoint of the epoch's end comes before its schedules that monitor
  BatchTail tail = BatchTail::none;
  bool window_open = false;                             // gradients are being accumulated
  bool skip_epoch = false;                              // somebody asked to leave the epoch after this batch
  std::chrono::steady_clock::time_point epoch_start{};  // while an epoch runs

  double seconds() const {
    if (epoch_start == std::chrono::steady_clock::time_point{}) return train_seconds;
    return train_seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - epoch_start).count();
  }

  nlohmann::json state_dict(int64_t epoch, int64_t global_step) const {
    return {{"epochs_completed", epoch},
            {"epochs_processed", epochs_processed},
            {"global_step", global_step},
            {"batches_that_stepped", batches_that_stepped},
            {"total_batches", total_batches},
            {"train_seconds", seconds()},
            {"epoch_schedules_pending", epoch_schedules_pending},
            {"skipped_batches", skipped_batches},
            {"window_open", window_open},
            {"batch",
             {{"ready", batch.ready},
              {"processed", batch.processed},
              {"completed", batch.completed},
              {"is_last", is_last_batch},
              {"tail", static_cast<int>(tail)}}}};
  }
  bool within_epoch(const nlohmann::json& state) const {
    return state.at("epochs_processed") == state.at("epochs_completed");
  }
  // Returns the completed epochs. A checkpoint made at an epoch's end goes on with the next one; one made while a batch
  // failed does that batch again.
  int64_t load_state_dict(const nlohmann::json& state) {
    const auto completed = state.at("epochs_completed").get<int64_t>();
    epochs_processed = state.at("epochs_processed").get<int64_t>();
    batches_that_stepped = state.at("batches_that_stepped").get<int64_t>();
    total_batches = state.at("total_batches").get<int64_t>();
    train_seconds = state.at("train_seconds").get<double>();
    epoch_schedules_pending = state.at("epoch_schedules_pending").get<bool>();
    skipped_batches = state.value("skipped_batches", int64_t{0});
    batch.reset();
    tail = BatchTail::none;
    if (epochs_processed == completed) {
      const nlohmann::json& b = state.at("batch");
      const auto ready = b.at("ready").get<int64_t>();
      batch.ready = batch.started = batch.processed = b.value("processed", ready);
      batch.completed = b.at("completed").get<int64_t>();
      is_last_batch = b.at("is_last").get<bool>() && batch.ready == ready;
      tail = static_cast<BatchTail>(b.value("tail", 0));
    }
    return epochs_processed;
  }
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
