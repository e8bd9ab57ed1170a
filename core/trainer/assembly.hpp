// Owns all parts of one run. They are made in the order of declaration and destroyed in reverse; each part gets
// references to those parts before it that it needs.
#pragma once
#include "core/distributed/processes.hpp"
#include "core/trainer/assembly/run_replicas.hpp"
#include "core/trainer/assembly/run_services.hpp"
#include "core/trainer/cluster/cluster_job.hpp"
#include "core/trainer/resume/checkpoint_choice.hpp"
#include "core/trainer/signals.hpp"
#include "core/trainer/watchdog.hpp"

namespace levin::core {

class Assembly {
 public:
  // stage: the LEVIN_STAGE_* with which the run begins.
  Assembly(RunSettings settings, Signals& signals, Processes& processes, uint32_t stage, Console& console);
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  RunSettings settings;
  Signals& signals;
  Processes& processes;
  std::optional<ChosenCheckpoint> evaluated;  // by a command that only evaluates, until it is loaded
  RunDevice device;
  RunOutput output;
  ClusterJob job;
  Watchdog watchdog;  // from here on plugins are called, and as long as parts are destroyed
  RunComponents components;
  RunProgress progress;
  RunAgreement agreement;
  levin_run run;  // components get a pointer to it; `services` fills it
  Dispatcher hooks;
  LoggerList loggers;
  RunLoops loops;
  TrainingState state;
  RunServices services;
  RunReplicas replicas;

 private:
  StateParts state_parts();
  void end_batch();
  nlohmann::json provenance() const;
  std::function<void(const std::string&)> warning();
};

}  // namespace levin::core
