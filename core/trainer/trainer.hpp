// The Trainer runs fit, validate, test and predict, each from setup to teardown.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/run_folder/prediction_file.hpp"
#include "core/trainer/assembly.hpp"
#include "core/trainer/resume/resume_source.hpp"
#include "core/trainer/run_lifecycle.hpp"
#include "core/trainer/run_summary.hpp"

namespace levin::core {

// What a program that contains the Trainer adds to a configuration.
struct Embedding {
  std::vector<OwnPlugin> plugins{};
  bool takes_signals = true;  // false = no signal handler is installed
};

class Trainer {
 public:
  // Throws Error. Throws Interrupt after a signal during the rendezvous.
  Trainer(RunConfig config, Console& console, Embedding embedding = {});
  ~Trainer();
  // Runs the command of the configuration. Returns 0, or 128 + the signal if the run was interrupted. If the run fails,
  // fires on_exception and teardown, then throws Error.
  int run();
  // Runs one command in the same way. It can be called several times.
  int run(Command command, const std::string& ckpt_path);
  // Returns the first tensor that predict_step returned for each batch of the last predict, by loader and batch, on the
  // CPU.
  const std::vector<std::vector<at::Tensor>>& predictions() const { return predictions_.first(); }
  void return_predictions(bool on) { return_predictions_ = on; }  // false = neither kept nor written
  Assembly& assembly() { return *assembly_; }
  const Profiler* profiler() const { return profiler_.get(); }  // nullptr = trainer.profiler is off

 private:
  void tell_summary();
  void run_stages(Command command, const std::string& ckpt_path);
  void fit(bool only_tuners);  // only_tuners: ends after on_fit_start, where tuners work
  void begin_fit();
  FoundPosition load_training(ResumeSource& source);
  void train(const FoundPosition& found);
  void end_fit();
  void evaluate(uint32_t stage, const std::string& ckpt_path);
  void predict(const std::string& ckpt_path);
  void write_predictions();
  void begin(uint32_t stage);
  void set_up(uint32_t stage);  // fires setup and configure_model, and moves the model to the device
  // Throws Error{usage} with --strict_resume.
  void tell_changes(const ResumeSource& source, const std::vector<std::string>& changes);
  void name_run(Lineage lineage);
  void tell_resumed(const ResumeSource& source, const FoundPosition& found);
  void check_validation();
  void configure_optimizers();
  void scale_rates();
  void end_without_batches();
  bool init_model();
  void load_for_evaluation(const std::string& ckpt_path);

  std::unique_ptr<Profiler> profiler_;  // declared first, because it outlives the parts whose calls it measures
  Signals signals_;                     // until the processes have left the group
  std::unique_ptr<Processes> processes_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<RunLifecycle> lifecycle_;
  PredictionFile predictions_;
  RunSummary summary_;
  bool return_predictions_ = true, first_stage_ = true;
};

}  // namespace levin::core
