// The run whose state is saved in its checkpoints.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>

#include "core/distributed/processes.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/run_folder/synced_files.hpp"

namespace levin::core {

// References to the parts that own a state. All of them must outlive the TrainingState.
struct SavedRun {
  const LoopContext& context;
  DataModule& data;
  OptimizerSet& optimizers;
  FitLoop& fit;
  LoggerList& loggers;
  Processes& processes;                        // rank 0 writes
  std::function<nlohmann::json()> provenance;  // configuration, versions and plugin hashes
  SyncedFiles* files = nullptr;                // the loggers' output, made durable before a checkpoint; nullptr = none
  bool allow_plugin_changes = false;           // continue without a state that its component cannot load
};

}  // namespace levin::core
