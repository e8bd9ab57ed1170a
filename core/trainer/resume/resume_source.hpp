// Where a fit begins: as a new run, from a checkpoint, or from a checkpoint of Lightning. The Trainer asks in this
// order, and does not ask which of them it is.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/state/training_state.hpp"
#include "core/components/model.hpp"
#include "core/distributed/processes.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/run_progress.hpp"
#include "core/services/run.hpp"
#include "core/trainer/assembly/run_output.hpp"
#include "core/trainer/assembly/run_services.hpp"

namespace levin::core {

// References to the parts of a run that a fit restores; all of them outlive the source.
struct ResumeParts {
  const RunSettings& settings;
  const RunOutput& output;
  Processes& processes;
  Model& model;
  OptimizerSet& optimizers;
  Precision& precision;
  RunProgress& progress;
  TrainingState& state;
  RunServices& services;
  Console& console;
};

// All methods throw Error{checkpoint} for what does not fit, with the file and the place in it.
class ResumeSource {
 public:
  virtual ~ResumeSource() = default;
  // "" for a new run, else the checkpoint.
  virtual std::string path() const { return ""; }
  bool resumes() const { return !path().empty(); }
  // What differs from the run that saved the checkpoint and changes the numbers, a line each.
  virtual std::vector<std::string> changes() const { return {}; }
  // The weights and the state of the model, before the optimizers are made.
  virtual void load_model() = 0;
  // The same run where it goes on in its own folder, else a new one.
  virtual Lineage lineage() const { return new_lineage(); }
  // What differs in the optimizers and schedules that are there now, a line each.
  virtual std::vector<std::string> optimizer_changes() const { return {}; }
  // The counters of the loops and the state of the loggers, where the run goes on in its own folder.
  virtual void load_loggers() {}
  // Loops, optimizers, schedules, precision and generators, after on_pretrain_routine_start.
  virtual void load_training() {}
  // The gradients of an open window of accumulation, once gradients are zero.
  virtual void load_gradients() {}
  // What of the checkpoint is not taken; ends the line that says where the fit goes on.
  virtual std::string remainder() const { return ""; }
};

// Chooses the checkpoint by --ckpt_path and the run folder; all processes take the one that rank 0 finds. Collective.
std::unique_ptr<ResumeSource> resume_source(const ResumeParts& parts);

}  // namespace levin::core
