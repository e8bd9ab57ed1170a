// fit, validate, test and predict: the order of a run from set-up to teardown.
#pragma once
#include <memory>
#include <string>

#include "core/run_folder/prediction_file.hpp"
#include "core/trainer/assembly/assembly.hpp"
#include "core/trainer/run_lifecycle.hpp"

namespace levin::core {

class Trainer {
 public:
  Trainer(RunConfig config, Console& console);
  ~Trainer();
  // Does what the configuration's command says. Returns the exit code of an interrupted run, or 0. Throws Error after
  // the hooks of the exception and of teardown have run.
  int run();
  // One entry point; several may follow each other. As run().
  int run(Command command, const std::string& ckpt_path);
  // Of the last predict: what predict_step returned first, by loader and batch, on the CPU.
  const std::vector<std::vector<at::Tensor>>& predictions() const { return predictions_.first(); }
  void return_predictions(bool on) { return_predictions_ = on; }  // false: neither kept nor written to a file
  Assembly& assembly() { return *assembly_; }
  const Profiler* profiler() const { return profiler_.get(); }  // nullptr: trainer.profiler is off

 private:
  void run_stages(Command command, const std::string& ckpt_path);
  void fit(bool only_tuners);  // only_tuners: to the end of on_fit_start, where tuners work
  void end_fit();
  void evaluate(uint32_t stage, const std::string& ckpt_path);
  void predict(const std::string& ckpt_path);
  void begin(uint32_t stage);
  void set_up(uint32_t stage);  // hooks setup and configure_model, the device
  void resume_from(const CheckpointReader& file, const std::string& path);
  void check_validation();
  void configure_optimizers();
  void end_without_batches();
  void load_for_evaluation(const std::string& ckpt_path);

  std::unique_ptr<Profiler> profiler_;  // before the parts, whose calls it hears
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<RunLifecycle> lifecycle_;
  PredictionFile predictions_;
  bool return_predictions_ = true, first_stage_ = true;
};

}  // namespace levin::core
