// The start of a fit: a new run, a checkpoint, or a checkpoint of another program. The Trainer calls the functions in
// the order of declaration, regardless of the kind of source.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/checkpoint/state/training_state.hpp"
#include "core/components/model.hpp"
#include "core/distributed/processes.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/services/run.hpp"
#include "core/trainer/assembly/run_output.hpp"
#include "core/trainer/assembly/run_services.hpp"

namespace levin::core {

// References to the parts of a run that a fit restores. All of them must outlive the source.
struct ResumeParts {
  const RunSettings& settings;
  const RunOutput& output;
  Processes& processes;
  Model& model;
  OptimizerSet& optimizers;
  Precision& precision;
  FitLoop& fit;
  const RunProgress& progress;
  TrainingState& state;
  RunServices& services;
  Console& console;
};

// All methods throw Error{checkpoint} with the file and the place in it if something does not fit.
class ResumeSource {
 public:
  virtual ~ResumeSource() = default;
  // Returns the path of the checkpoint; "" = a new run.
  virtual std::string path() const { return ""; }
  bool resumes() const { return !path().empty(); }
  // Returns a line for each difference from the run that saved the checkpoint, if it changes the results.
  virtual std::vector<std::string> changes() const { return {}; }
  // Loads the weights and the state of the model. Call it before the optimizers are created.
  virtual void load_model() = 0;
  // Returns the lineage of the same run if it resumes in its own folder, else a new one.
  virtual Lineage lineage() const { return new_lineage(); }
  // Returns a line for each difference in the current optimizers and schedules.
  virtual std::vector<std::string> optimizer_changes() const { return {}; }
  // Loads the counters of the loops and the state of the loggers, if the run resumes in its own folder.
  virtual void load_loggers() {}
  // Loads loops, optimizers, schedules, precision and generators, and returns where the fit goes on. Call it after
  // on_pretrain_routine_start.
  virtual FoundPosition load_training() { return {}; }
  // Loads the gradients of an open accumulation window. Call it after gradients are set to zero.
  virtual void load_gradients() {}
  // Returns a text about the parts of the checkpoint that are not used. It ends the line about the resume.
  virtual std::string remainder() const { return ""; }
};

// Makes the source for a file of weights that another program has saved.
using ForeignSource = std::unique_ptr<ResumeSource> (*)(const ResumeParts& parts, const std::string& path);
// The program sets it once, before its first fit. Without it, a fit resumes from checkpoints of this program only.
void set_foreign_source(ForeignSource make);

// Chooses the checkpoint by --ckpt_path and the run folder. All processes use the one that rank 0 finds. Collective.
std::unique_ptr<ResumeSource> resume_source(const ResumeParts& parts);

// The conditions that a run's results depend on.
struct RunConditions {
  const nlohmann::json& config;  // in the form of a checkpoint's manifest
  int64_t num_threads;
  uint64_t seed;
  std::string torch_version;
  int64_t processes = 1;
};

// Returns a line for each difference from a checkpoint's manifest that changes the results: threads, seed, LibTorch,
// options of the model, the data, callbacks and the Trainer.
std::vector<std::string> resume_changes(const nlohmann::json& manifest, const RunConditions& now);

}  // namespace levin::core
