// The parts of a run whose state is saved in its checkpoints.
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
  DataModule* data;  // nullptr = none
  Dispatcher& hooks;
  LoggerList& loggers;
  LoggerConnector& log;
  OptimizerSet& optimizers;
  Precision& precision;
  RunProgress& progress;
  std::function<nlohmann::json()> provenance = [] {
    return nlohmann::json::object();
  };                            // configuration, versions and plugin hashes
  at::Device device{at::kCPU};  // the run's device, whose generator is saved too
  std::function<Generators()> further_generators = [] { return Generators{}; };  // generators of the model's replicas
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  ProcessGroup* processes = nullptr;  // the run's processes, of which rank 0 writes; nullptr = one process
  std::function<bool()> all_processes_live = [] { return true; };
  bool shards_optimizers = false;  // each process holds the optimizer state of a part of the parameters
  std::function<bool(const Optimizer&, const at::Tensor&)> owns = [](auto&, auto&) {
    return true;
  };                                  // returns true if this process holds the state
  bool allow_plugin_changes = false;  // continue without a state that its component cannot load
  bool only_finite = false;           // refuse to save weights that are not finite
  std::function<void()> before_commit = [] {
  };                                    // makes the loggers' output durable; called on the thread that writes the file
  EpochSteps* train_outputs = nullptr;  // of the epoch so far, for the model's training_epoch_end
  // Generator states from before the running validation, saved in place of the current ones. Empty if no validation is
  // running.
  const GeneratorStates* generators_before_validation = nullptr;
  std::function<void(const std::string& path)> saved = [](const std::string&) {};  // called when a file is durable
  std::function<SkippedSteps()> left_out = [] { return SkippedSteps{}; };
  std::function<void(const SkippedSteps&)> set_left_out = [](const SkippedSteps&) {};  // called on resume
};

}  // namespace levin::core
