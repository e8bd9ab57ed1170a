// The Trainer's options as typed values: after this nothing parses text.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/config/trainer_enums.hpp"

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

// What the rows of trainer_options() set. Every member has a row; most have its name.
struct RunPlan {
  RunPlan();  // the defaults of the rows

  int64_t max_epochs = 0;  // -1: no end
  int64_t min_epochs = 0;
  int64_t max_steps = 0;  // -1: no end
  int64_t min_steps = 0;
  Limit limit_train, limit_val, limit_test, limit_predict;
  double overfit_batches = 0;
  int64_t fast_dev_run = 0;  // batches; 0: off
  ValCheckInterval val_check_interval;
  std::optional<int64_t> check_val_every_n_epoch;  // nullopt: count batches over epochs
  int64_t num_sanity_val_steps = 0;                // -1: all
  int64_t log_every_n_steps = 0;
  bool enable_autolog_hparams = false;                 // loggers get the run's options
  int64_t flush_logs_every_n_steps = 0;                // 0: as the loggers like
  std::map<int64_t, int64_t> accumulate_grad_batches;  // batches in a window, by the epoch it holds from
  bool accumulate_exact = false;  // the last window of an epoch counts as what it is, however short
  std::optional<double> gradient_clip_val;
  std::optional<GradientClipAlgorithm> gradient_clip_algorithm;  // nullopt: norm
  PrecisionType precision{};
  Accelerator accelerator{};
  DeviceChoice devices;
  std::optional<ProfilerKind> profiler;
  bool deterministic = false, deterministic_warn = false, benchmark = false, detect_anomaly = false;
  bool inference_mode = false;
  int64_t truncated_bptt_steps = 0;  // 0: off
  CombinedMode multiple_trainloader_mode{};
  std::optional<double> track_grad_norm;  // the norm's p
  bool terminate_on_nan = false;
  bool move_metrics_to_cpu = false;
  bool barebones = false;  // nothing is logged
  int64_t reload_dataloaders_every_n_epochs = 0;
  std::optional<uint64_t> seed;
  std::string log_name;                    // folder of all runs, under the root; "": the root itself
  std::optional<std::string> log_version;  // a number or a name; nullopt: the next free number
  std::string default_root_dir;
  bool max_epochs_by_default = false;  // nobody said how long: the host warns
};

// trainer: as resolve_trainer() describes; what is missing has its default. timed: as in RunConfig.
RunPlan make_run_plan(const nlohmann::json& trainer, bool timed = false);

}  // namespace levin::core
