// Owns all parts of one run. Parts are constructed in the order of declaration and destroyed in reverse. Each part gets
// references to the earlier parts that it needs.
#pragma once
#include "core/base/console/console.hpp"
#include "core/base/error.hpp"
#include "core/components/log_origin.hpp"
#include "core/distributed/processes.hpp"
#include "core/services/run.hpp"
#include "core/trainer/assembly/run_services.hpp"
#include "core/trainer/cluster/cluster_job.hpp"
#include "core/trainer/resume/checkpoint_choice.hpp"
#include "core/trainer/signals.hpp"
#include "core/trainer/watchdog.hpp"

namespace levin::core {

class Assembly {
 public:
  // stage: the run's first LEVIN_STAGE_*.
  Assembly(RunSettings settings, Signals& signals, Processes& processes, uint32_t stage, Console& console);
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  RunSettings settings;
  Signals& signals;
  Processes& processes;
  std::optional<ChosenCheckpoint> evaluated;  // checkpoint of a command that only evaluates; reset once loaded
  RunDevice device;
  RunOutput output;
  ClusterJob job;
  Watchdog watchdog;  // declared before all parts that call plugins, also in their destructors
  RunComponents components;
  RunProgress progress;
  RunAgreement agreement;
  levin_run run;  // `services` fills it; components get a pointer to it
  Dispatcher hooks;
  LoggerList loggers;
  RunLoops loops;
  TrainingState state;
  RunServices services;

 private:
  void end_batch();
  nlohmann::json provenance();
  Warn warning();
};

}  // namespace levin::core
