// The Trainer's options as typed values: after this nothing parses text.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace levin::core {

// A number of batches, or a fraction of the loader's.
struct Limit {
  double value = 1.0;
  bool fraction = true;
  bool off() const { return value == 0; }
};

struct ValCheckInterval {
  double value = 1.0;
  bool fraction = true;           // of the epoch's batches; false: batches
  std::optional<double> seconds;  // time instead
};

struct RunPlan {
  int64_t max_epochs = 1000;  // -1: no end
  int64_t min_epochs = 0;
  int64_t max_steps = -1;
  int64_t min_steps = 0;
  Limit limit_train, limit_val, limit_test, limit_predict;
  double overfit_batches = 0;
  int64_t fast_dev_run = 0;  // batches; 0: off
  ValCheckInterval val_check_interval;
  std::optional<int64_t> check_val_every_n_epoch = 1;  // nullopt: count batches over epochs
  int64_t num_sanity_val_steps = 2;                    // -1: all
  int64_t log_every_n_steps = 50;
  int64_t flush_logs_every_n_steps = 0;                           // 0: as the loggers like
  std::map<int64_t, int64_t> accumulate_grad_batches = {{0, 1}};  // batches in a window, by the epoch it holds from
  bool accumulate_exact = false;  // the last window of an epoch counts as what it is, however short
  std::optional<double> gradient_clip_val;
  std::optional<std::string> gradient_clip_algorithm;  // nullopt: norm
  std::string precision = "32-true";
  std::string accelerator = "auto";
  nlohmann::json devices = "auto";  // or a count, or a list of indices
  std::string profiler;             // simple, advanced; "": none
  bool deterministic = false, deterministic_warn = false, benchmark = false, detect_anomaly = false;
  bool inference_mode = true;
  int64_t truncated_bptt_steps = 0;  // 0: off
  std::string multiple_trainloader_mode = "max_size_cycle";
  std::optional<double> track_grad_norm;  // the norm's p
  bool terminate_on_nan = false;
  bool move_metrics_to_cpu = false;
  bool barebones = false;  // nothing is logged
  int64_t reload_dataloaders_every_n_epochs = 0;
  std::optional<uint64_t> seed;
  std::string default_root_dir;
  bool max_epochs_by_default = false;  // nobody said how long: the host warns
};

// trainer: as resolve_trainer() describes. timed: as in RunConfig.
RunPlan make_run_plan(const nlohmann::json& trainer, bool timed = false);

}  // namespace levin::core
