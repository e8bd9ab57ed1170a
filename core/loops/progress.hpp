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

struct FitProgress {
  int64_t epochs_processed = 0;  // raised before the hooks of an epoch's end; completed ones are in Position
  BatchProgress batch;           // of the epoch
  int64_t total_batches = 0;     // over all epochs
  int64_t batches_that_stepped = 0;
  int64_t skipped_batches = 0;
  double train_seconds = 0;
  bool is_last_batch = false;
  bool epoch_schedules_pending = false;  // a checkpoint of the epoch's end comes before its schedules that monitor
  bool skip_epoch = false;               // somebody asked to leave the epoch after this batch
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
            {"batch", {{"ready", batch.ready}, {"completed", batch.completed}, {"is_last", is_last_batch}}}};
  }
  // Returns the completed epochs. A checkpoint made at an epoch's end goes on with the next one.
  int64_t load_state_dict(const nlohmann::json& state) {
    const auto completed = state.at("epochs_completed").get<int64_t>();
    epochs_processed = state.at("epochs_processed").get<int64_t>();
    batches_that_stepped = state.at("batches_that_stepped").get<int64_t>();
    total_batches = state.at("total_batches").get<int64_t>();
    train_seconds = state.at("train_seconds").get<double>();
    epoch_schedules_pending = state.at("epoch_schedules_pending").get<bool>();
    batch.reset();
    if (epochs_processed == completed) {
      batch.ready = state.at("batch").at("ready").get<int64_t>();
      batch.started = batch.processed = batch.completed = batch.ready;
      is_last_batch = state.at("batch").at("is_last").get<bool>();
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
