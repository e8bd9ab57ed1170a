// The parts of a run that its services act on.
#pragma once
#include "core/services/dist_parts.hpp"
#include "core/services/run.hpp"
#include "core/services/trial_steps.hpp"
#include "core/trainer/assembly/run_loops.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

class RunServices {
 public:
  // Fills `run` with the services. All arguments must outlive this object.
  RunServices(levin_run& run, RunSettings& settings, RunComponents& components, RunLoops& loops, LoggerList& loggers,
              TrainingState& state, RunOutput& output, Processes& processes);
  ~RunServices();
  RunServices(const RunServices&) = delete;
  RunServices& operator=(const RunServices&) = delete;

  const RunTexts& texts() const { return trainer_.texts; }
  // Prevents levin.checkpoint/1 from removing this file, because the run was resumed from it.
  void protect(const std::string& checkpoint) { trainer_.texts.resumed_from = checkpoint_.resumed_from = checkpoint; }
  // The folders in which components said that they save checkpoints.
  const std::vector<std::filesystem::path>& save_folders() const { return checkpoint_.save_folders; }
  void name_run(const std::string& uid) { trainer_.texts.run_uid = uid; }

 private:
  levin_run& run_;
  Snapshots snapshots_;
  TrainerParts trainer_;
  ParamsParts params_;
  OptimParts optim_;
  CheckpointParts checkpoint_;
  TrialParts trial_;
  DeviceParts device_;
  ModuleTreeParts module_tree_;
  DataParts data_;
  DistParts dist_;
  NetworkParts networks_;
};

}  // namespace levin::core
