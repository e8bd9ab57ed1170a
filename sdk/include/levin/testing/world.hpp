// The state of a fake run. A test sets the first half of a World and checks the second.
#pragma once
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/run_data.hpp"
#include "levin/testing/fake_tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

using Named = std::vector<std::pair<std::string, double>>;  // in order of first logging

struct ParamGroup {
  std::string name;
  std::map<std::string, double> options;  // "lr", "momentum", ...
};
struct Optimizer {
  std::string name;  // "SGD"
  std::vector<ParamGroup> groups;
};
struct Scheduler {
  uint32_t optimizer;
  std::string label, interval;  // empty label = the optimizer's name
};
struct Param {
  std::string name;
  levin_tensor* tensor;
  uint32_t kind = LEVIN_PARAMETER;
  bool requires_grad = true;
};
struct Module {
  std::string name, type;
  uint32_t depth = 1;
  bool training = true;
  std::string in = {}, out = {};  // sizes, e.g. "[1, 28]"; empty = unknown
};

struct Saved {
  std::string path;
  bool weights_only;
  int64_t global_step;
  uint32_t flags = 0;  // LEVIN_SAVE_*
};
struct LoggedNow {
  int64_t step;
  std::map<std::string, double> values;
};

struct Loader {  // a loader of the run's data
  std::vector<Field> fields;
  int64_t rows;                             // -1 = a stream
  std::vector<std::vector<double>> values;  // of each field, row-major
  std::vector<levin_field> raw = {};        // used by the fake host
};

struct World {
  // ---- set by the test
  std::map<std::string, double> numbers = {
      {"current_epoch", 0},
      {"global_step", 0},
      {"max_epochs", 10},
      {"max_steps", -1},
      {"verbosity", 0},
      {"num_training_batches", 4},
      {"num_val_batches", 2},
      {"num_test_batches", 2},
      {"num_predict_batches", 2},
      {"num_sanity_val_batches", 0},
      {"batches_that_stepped", 0},
      {"estimated_stepping_batches", 40},
      {"accumulate_grad_batches", 1},
      {"log_every_n_steps", 1},
      {"check_val_every_n_epoch", 1},
      {"val_check_interval", 1},
      {"fast_dev_run", 0},
      {"sanity_checking", 0},
      {"is_last_batch", 0},
      {"should_stop", 0},
      {"should_update_logs", 1},
      {"validates", 1},
      {"time_train_seconds", 0},
      {"automatic_optimization", 1},
      {"batch_size", 32},
      {"train_rows", 128},
      {"truncated_bptt_steps", 0},
      {"split_idx", -1},
      {"num_splits", -1},
      {"resumed", 0},
  };
  std::map<std::string, std::string> texts = {{"run_dir", "."},          {"run_id", "run"},  {"run_uid", "run"},
                                              {"default_root_dir", "."}, {"model", "model"}, {"data", "data"},
                                              {"config", "{}"},          {"stage", "fit"}};
  Named metrics[LEVIN_METRIC_RESULTS + 1];  // indexed by LEVIN_METRIC_*
  std::vector<Optimizer> optimizers;
  std::vector<Scheduler> schedulers;
  std::vector<Param> params;
  std::vector<Module> modules;
  std::map<Split, std::vector<Loader>> data;  // as callbacks see the run's data
  uint32_t rank = 0, world_size = 1;
  // Return the results of all_gather and all_gather_bytes, one per rank, from this rank's input `mine`. The caller
  // takes ownership of the tensors. Empty = all ranks have the same input.
  std::function<std::vector<levin_tensor*>(levin_tensor* mine)> gathered;
  std::function<std::vector<std::string>(const std::string& mine)> gathered_bytes;
  DeviceMemory memory;                                              // total 0 = unknown
  std::function<levin_status(int64_t n, double* loss)> trial_step;  // called for each step of a trial
  // Returns the outputs of the model; the caller takes ownership. Empty = the model has no forward.
  std::function<std::vector<levin_tensor*>(const std::vector<levin_tensor*>&)> forward;
  // The networks in files, by path: return the outputs, of which the caller takes ownership.
  std::map<std::string, std::function<std::vector<levin_tensor*>(const std::vector<levin_tensor*>&)>> networks;
  std::set<std::string> missing_services;  // service ids that this host does not offer
  bool writes_files = true;                // save creates an empty file, remove deletes it

  void set_metric(const std::string& name, double value, uint32_t set = LEVIN_METRIC_CALLBACK) {
    for (auto& metric : metrics[set])
      if (metric.first == name) return void(metric.second = value);
    metrics[set].emplace_back(name, value);
  }
  void at(int64_t epoch, int64_t global_step) {
    numbers["current_epoch"] = static_cast<double>(epoch);
    numbers["global_step"] = static_cast<double>(global_step);
    numbers["batches_that_stepped"] = static_cast<double>(global_step);
  }

  std::string reason;  // last_error of a failed service call
  // ---- set by the host: returns the elements of one of its tensors, row-major
  std::vector<double> (*elements)(levin_tensor*) = &elements_of;
  const levin_host* tensor_host = nullptr;

  // ---- checked by the test
  std::string failure;                                    // the last text passed to fail
  std::vector<std::pair<int32_t, std::string>> messages;  // level and line
  std::vector<std::string> printed, stopped;              // lines; reasons
  std::vector<std::pair<std::string, double>> logged;     // by log()
  std::vector<LoggedNow> logged_now;
  std::vector<std::string> media;               // kind/tag
  std::vector<std::string> artifacts, hparams;  // names; JSON text
  std::vector<levin::Saved> saved_as;           // the checkpoints in `saved`, as their savers described them
  std::vector<std::string> save_folders;        // given to saves_in
  std::vector<Saved> saved;
  std::vector<std::string> checkpoints;            // saved and not removed, oldest first
  std::vector<std::string> removed, calls;         // calls: e.g. "backward", "step 0"
  std::map<std::string, levin::Saved> announced;   // keys: "best", "last"
  std::map<std::string, std::string> options_set;  // by set_option; JSON text
  int64_t skipped_epochs = 0;
  int64_t live_tensors = 0;  // not released yet
  std::map<uint64_t, std::vector<levin_tensor*>> snapshots;

  static World& of(levin_run* run) { return *reinterpret_cast<World*>(run); }
  levin_run* run() { return reinterpret_cast<levin_run*>(this); }
};

}  // namespace levin::testing
#pragma GCC visibility pop
