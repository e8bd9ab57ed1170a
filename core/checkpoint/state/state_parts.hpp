// The parts of a run whose state is in its checkpoints.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/checkpoint/generators.hpp"
#include "core/components/model.hpp"
#include "core/distributed/process_group.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/skipped_steps.hpp"

namespace levin::core {

struct StateParts {
  Model& model;
  DataModule* data;  // nullptr where there is none
  Dispatcher& hooks;
  LoggerList& loggers;
  LoggerConnector& log;
  OptimizerSet& optimizers;
  Precision& precision;
  RunProgress& progress;
  std::function<nlohmann::json()> provenance = [] {
    return nlohmann::json::object();
  };                            // configuration, versions and hashes of plugins
  at::Device device{at::kCPU};  // of the run, whose generator is saved too
  std::function<Generators()> further_generators = [] { return Generators{}; };  // those of the model's replicas
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProcessGroup* processes = nullptr;  // of the run, of which the first one writes; nullptr: one process
  std::function<bool()> all_processes_live = [] { return true; };
  bool shards_optimizers = false;  // each process has the state of a part of the parameters
  std::function<bool(const Optimizer&, const at::Tensor&)> owns = [](auto&, auto&) { return true; };  // which part
  bool allow_plugin_changes = false;            // go on without state that its component does not take
  bool only_finite = false;                     // refuse to save weights that are not finite
  std::function<void()> before_commit = [] {};  // makes durable what loggers wrote, on the thread that writes the file
  EpochSteps* train_outputs = nullptr;          // of the epoch so far, for the model's training_epoch_end
  // Of before a validation that runs, saved instead of those of now; empty if none runs.
  const GeneratorStates* generators_before_validation = nullptr;
  std::function<void(const std::string& path)> saved = [](const std::string&) {};  // a file is durable
  std::function<SkippedSteps()> left_out = [] { return SkippedSteps{}; };
  std::function<void(const SkippedSteps&)> set_left_out = [](const SkippedSteps&) {};  // of a fit that goes on
};

}  // namespace levin::core
