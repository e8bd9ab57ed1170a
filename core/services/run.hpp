// levin_run: the services that a run offers to plugins, each with the parts of the run that it acts on.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/base/console/console.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/state/training_state.hpp"
#include "core/components/model_instance.hpp"
#include "core/loops/device_batches.hpp"
#include "core/loops/evaluation_loop.hpp"
#include "core/loops/optimization/optimization.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/services/snapshots.hpp"

namespace levin::core {

class TrialSteps;
class DistParts;

struct RunTexts {
  std::string model, data;  // component ids; data: "" = the model brings its own
  std::string config;       // JSON, without secrets
  std::string default_root_dir, run_dir, run_id;
  std::map<std::string, std::string> origins = {};  // of options given by the user: "callback.stop.monitor" -> "--..."
  std::string run_uid = {}, resumed_from = {};      // of a fit: see Lineage; the checkpoint it resumes from
};

struct TrainerParts {
  RunPlan& plan;  // set_number() changes max_epochs
  Model& model;
  LoaderSet& loaders;
  LoggerConnector& log;
  LoggerList& loggers;
  RunProgress& progress;
  Accumulation& accumulation;
  RunAgreement& agreement;
  const EvaluationLoop& validation;
  Console& console;
  RunFolder* folder;  // nullptr = the run has none
  RunTexts texts;
  int verbosity = 0;       // of the run's configuration
  size_t num_loggers = 0;  // of the run, on all ranks, although only rank 0 has them

  // Returns the parts for the steps of a trial, which has its own plan, metrics and counters.
  TrainerParts of_trial(RunPlan& its_plan, LoggerConnector& its_log, LoggerList& no_loggers, RunProgress& its_progress,
                        Accumulation& its_accumulation, RunAgreement& its_agreement) {
    return {its_plan,      model,      loaders, its_log, no_loggers, its_progress, its_accumulation,
            its_agreement, validation, console, folder,  texts,      verbosity,    num_loggers};
  }
};

struct ParamsParts {
  Model& model;
  Snapshots& snapshots;
};

struct OptimParts {
  const Model& model;
  OptimizerSet& optimizers;
  Optimization& optimization;
};

struct CheckpointParts {
  TrainingState& state;
  RunFolder* folder;         // nullptr = the run has none
  std::string resumed_from;  // "" = a new run
  const RunProgress& progress;
  Warn warn;
  bool goes_on = false;  // resumes in the folder of the run that saved resumed_from
  // true once such a run has saved another checkpoint to resume from. Until then resumed_from is not removed.
  bool outlived = false;
  std::vector<std::filesystem::path> save_folders = {};  // in which components said that they save
};

struct TrialParts {
  const LoopContext& context;
  OptimizerSet& optimizers;
  Snapshots& snapshots;
  std::unique_ptr<TrialSteps> current;  // nullptr = no trial is running
};

struct DeviceParts {
  at::Device device;
  std::vector<at::Device> all = {device};  // all devices of this process, `device` first
};

struct DescribedLoader {
  explicit DescribedLoader(SplitInfo info) : rows(info.rows), name(info.name), fields(std::move(info.fields)) {}
  int64_t rows;
  std::string name;
  RawFields fields;
};

struct DataParts {
  LoaderSet& loaders;
  RunProgress& progress;
  DeviceBatches batches;  // moves rows to the device as for a step
  std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<DescribedLoader>> described = {};  // by split and loader
};

struct ModuleTreeParts {
  Model& model;
  at::Device device;
  Warn warn;
  Precision* precision = nullptr;  // nullptr = single precision
};

// How levin.networks/1 opens files.
struct NetworkParts {
  bool trust;  // as the option --trust
  at::Device device;
  Warn warn;
};

}  // namespace levin::core

// The object behind a plugin's levin_run*. If the pointer of a service is null, its calls fail with `refusal`. During a
// trial's steps, `trainer` and `optim` point to the trial's parts instead of the run's.
struct levin_run {
  // The run's own stop request, for threads other than the training thread, which are not part of trials.
  levin::core::StopRequest* stop = nullptr;
  std::thread::id training_thread;
  const char* refusal = "the run does not offer this service";
  levin::core::TrainerParts* trainer = nullptr;
  levin::core::ParamsParts* params = nullptr;
  levin::core::OptimParts* optim = nullptr;
  levin::core::CheckpointParts* checkpoint = nullptr;
  levin::core::TrialParts* trial = nullptr;
  levin::core::DeviceParts* device = nullptr;
  levin::core::ModuleTreeParts* module_tree = nullptr;
  levin::core::DataParts* data = nullptr;
  levin::core::DistParts* dist = nullptr;
  levin::core::NetworkParts* networks = nullptr;
};

namespace levin::core {

// Throws Error{usage} that names the plugin, for a call from a thread other than the run's own.
[[noreturn]] void refuse_thread(const char* service);

template <class Parts>
constexpr const char* service_name() {
  if (std::is_same_v<Parts, TrainerParts>) return "levin.trainer/1";
  if (std::is_same_v<Parts, ParamsParts>) return "levin.params/1";
  if (std::is_same_v<Parts, OptimParts>) return "levin.optim/1";
  if (std::is_same_v<Parts, CheckpointParts>) return "levin.checkpoint/1";
  if (std::is_same_v<Parts, TrialParts>) return "levin.trial/1";
  if (std::is_same_v<Parts, DeviceParts>) return "levin.devices/1";
  if (std::is_same_v<Parts, ModuleTreeParts>) return "levin.module_tree/1";
  if (std::is_same_v<Parts, DataParts>) return "levin.run_data/1";
  if (std::is_same_v<Parts, DistParts>) return "levin.dist/1";
  if (std::is_same_v<Parts, NetworkParts>) return "levin.networks/1";
  return "a service of the run";
}

// serve() for a service that several instances of the model may call at the same time.
template <class F>
levin_status serve_in_turn(F&& body) {
  return serve([&] {
    std::unique_lock<std::recursive_mutex> turn;
    if (model_instance) turn = std::unique_lock<std::recursive_mutex>(model_instance->turn);
    return body();
  });
}

// Returns true on the training thread, and on the thread of each instance of the model.
inline bool is_on_training_thread(const levin_run& run) {
  return model_instance || run.training_thread == std::this_thread::get_id();
}

// Returns the parts of one service. Throws Error{usage} if there is no run, if it is not called from the training
// thread, or, with a refusal, if the run or this instance of the model does not have the service.
template <class Parts>
Parts& parts_of(const levin_run* run, Parts* levin_run::*service) {
  if (!run)
    throw Error(ErrorCode::call_invalid, "there is no run yet; call this in a hook or a step, not in a constructor");
  if (!(run->*service)) throw Error(ErrorCode::call_invalid, run->refusal);
  constexpr bool of_whole_run =
      std::is_same_v<Parts, CheckpointParts> || std::is_same_v<Parts, TrialParts> || std::is_same_v<Parts, DataParts>;
  if (of_whole_run && !speaks_for_run()) throw Error(ErrorCode::call_invalid, model_instance->refusal);
  if (!is_on_training_thread(*run)) refuse_thread(service_name<Parts>());
  return *(run->*service);
}

}  // namespace levin::core
