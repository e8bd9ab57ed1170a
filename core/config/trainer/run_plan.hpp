// The Trainer's options as typed values, so that later code parses no text.
#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/trainer/trainer_enums.hpp"

namespace levin::core {

// A number of batches, or a fraction of the loader's batches.
struct Limit {
  double value = 1.0;
  bool fraction = true;
  bool off() const { return value == 0; }
};

struct ValCheckInterval {
  double value = 1.0;
  bool fraction = true;           // true = value is a fraction of the epoch; false = a number of batches
  std::optional<double> seconds;  // if set, the interval is this time instead
};

// Each member is set by the row of trainer_options() of the same name, as far as there is one.
struct RunPlan {
  RunPlan();  // sets the defaults of the rows

  struct Duration {
    int64_t max_epochs = 0;              // -1 = no limit
    bool max_epochs_by_default = false;  // the user set no limit, so the host warns
    int64_t min_epochs = 0;
    int64_t max_steps = 0;  // -1 = no limit
    int64_t min_steps = 0;
    int64_t fast_dev_run = 0;  // batches; 0 = off
  } duration;
  struct Limits {
    Limit train, val, test, predict;
    double overfit_batches = 0;
  } limits;
  struct Validation {
    ValCheckInterval val_check_interval;
    std::optional<int64_t> check_val_every_n_epoch;  // nullopt = val_check_interval counts batches across epochs
    int64_t num_sanity_val_steps = 0;                // -1 = all
  } validation;
  struct Logging {
    int64_t log_every_n_steps = 0;
    int64_t flush_logs_every_n_steps = 0;   // 0 = each logger decides
    bool enable_autolog_hparams = false;    // loggers get the run's options
    double logger_timeout = 0;              // seconds that asynchronous loggers get to finish at the end of a run
    std::optional<double> track_grad_norm;  // p of the logged p-norm; nullopt = off
    bool move_metrics_to_cpu = false;
    bool barebones = false;  // nothing is logged
  } logging;
  struct Names {
    std::string default_root_dir;
    std::string log_name;                    // folder of all runs below default_root_dir; "" = default_root_dir itself
    std::optional<std::string> log_version;  // a number or a name; nullopt = the next free number
    std::string run_name;                    // display name; "" = none
    std::vector<std::string> tags;
  } names;
  struct Optimization {
    std::map<int64_t, int64_t> accumulate_grad_batches;  // first epoch -> batches per accumulation window
    bool accumulate_exact = false;  // average an epoch's short last window over its actual number of batches
    std::optional<double> gradient_clip_val;
    std::optional<GradientClipAlgorithm> gradient_clip_algorithm;  // nullopt = norm
    int64_t truncated_bptt_steps = 0;                              // 0 = off
    LrScaling scale_lr{};
    double scale_lr_warmup_epochs = 0;
  } optimization;
  struct Numerics {
    PrecisionType precision{};
    std::optional<uint64_t> seed;
    bool deterministic = false, deterministic_warn = false, benchmark = false, inference_mode = false;
    bool detect_anomaly = false, terminate_on_nan = false;
    NonFinite non_finite{};
    std::optional<MatmulPrecision> float32_matmul_precision;  // nullopt = LibTorch's default
  } numerics;
  struct Machine {
    Accelerator accelerator{};
    CpuKernels cpu_kernels{};
    bool channels_last = false;  // training batches of images have their channels last in memory
    Capture capture{};
    DeviceChoice devices;
    int64_t num_nodes = 1;
    StrategyType strategy{};
    std::optional<int64_t> output_device;  // where outputs are gathered; nullopt = the first device
    // For model_parallel; nullopt = an equal share of the machine's devices.
    std::optional<int64_t> devices_per_process;
  } machine;
  struct Processes {
    std::string init_method, interface;
    ProcessGroupBackend process_group_backend{};
    double process_group_timeout = 0;  // seconds
    SharedMemoryUse shared_memory{};
    bool find_unused_parameters = false, static_graph = false, gradient_as_bucket_view = false;
    double bucket_cap_mb = 0;
    GradientCompression gradient_compression{};
    bool sync_batchnorm = false, use_distributed_sampler = true, prepare_data_per_node = true, pad_evaluation = false;
  } processes;
  struct Data {
    CombinedMode multiple_trainloader_mode{};
    int64_t reload_dataloaders_every_n_epochs = 0;
  } data;
  struct Supervision {
    std::optional<ProfilerKind> profiler;
    std::optional<double> hang_warning;  // seconds; 0 = off; nullopt = 60, and 20 after a signal
    bool requeue = false;                // requeue the SLURM job if it stops early
  } supervision;
};

// trainer: in the form that resolve_trainer() returns; missing options get their defaults. timed: as in RunConfig.
RunPlan make_run_plan(const nlohmann::json& trainer, bool timed = false);

// The seed of all random numbers, with the rules of Lightning's seed_everything.
// null means the environment variable LEVIN_GLOBAL_SEED, or 0 if it is not set. Fractions are
// truncated. Throws Error{usage} unless the result is a number in [0, 4294967295].
uint64_t chosen_seed(const nlohmann::json& given);

// Sets LEVIN_GLOBAL_SEED, and LEVIN_SEED_WORKERS to 0, for child processes. Call it before any thread is started,
// because it changes the environment.
void announce_seed(uint64_t seed);

}  // namespace levin::core
