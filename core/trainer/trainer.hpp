// fit, validate, test and predict: the order of a run from set-up to teardown.
#pragma once
#include <memory>
#include <string>

#include "core/trainer/assembly.hpp"
#include "core/trainer/profiler.hpp"

namespace levin::core {

class Trainer {
 public:
  Trainer(RunConfig config, Console& console);
  ~Trainer();
  // Does what the configuration's command says. Returns the exit code of an interrupted run, or 0. Throws Error after
  // the hooks of the exception and of teardown have run.
  int run();
  // One entry point: run, fit, tune, validate, test or predict; several may follow each other. As run().
  int run(const std::string& command, const std::string& ckpt_path);
  Assembly& assembly() { return *a_; }

 private:
  void fit(bool only_tuners);  // only_tuners: to the end of on_fit_start, where tuners work
  void end_fit();
  void evaluate(uint32_t stage, const std::string& ckpt_path);
  void predict(const std::string& ckpt_path);
  void begin(uint32_t stage);  // hooks setup and configure_model, the device, loggers
  void end();                  // hooks teardown
  void sanity_check();
  void begin_loggers();
  std::string resumed_checkpoint() const;
  void load_for_evaluation(const std::string& ckpt_path);
  int interrupted(int signal);
  void failed(const std::string& text);
  void finalize_loggers(const char* status);
  void teardown_whatever_fails();
  std::string find(const std::string& ckpt_path) const;            // in the run's folder; "": no last one
  std::string find_elsewhere(const std::string& ckpt_path) const;  // in that of an earlier run

  void report_profile();

  Console& console_;
  std::unique_ptr<Profiler> profiler_;  // before the parts, whose calls it hears
  std::unique_ptr<Assembly> a_;
  bool first_stage_ = true, loggers_began_ = false, fitting_ = false, in_stage_ = false;
};

}  // namespace levin::core
