// The course of one call of the Trainer: its stages, its loggers, and its end by success, a signal or a failure.
#pragma once
#include <functional>
#include <string>

#include "core/base/error.hpp"
#include "core/checkpoint/state/training_state.hpp"
#include "core/trainer/assembly/run_output.hpp"
#include "core/trainer/assembly/run_services.hpp"
#include "core/trainer/cluster/cluster_job.hpp"
#include "core/trainer/profiling/profiler.hpp"

namespace levin::core {

struct RunLifecycleParts {
  const RunSettings& settings;
  RunOutput& output;
  Processes& processes;
  ClusterJob& job;
  Dispatcher& hooks;
  DataModule& data;
  LoggerList& loggers;
  RunLoops& loops;
  TrainingState& state;
  const RunTexts& texts;
  const Profiler* profiler;  // nullptr = trainer.profiler is off
};

class RunLifecycle {
 public:
  explicit RunLifecycle(const RunLifecycleParts& parts) : parts_(parts), progress_(parts.loops.context.progress) {}
  RunLifecycle(const RunLifecycle&) = delete;
  RunLifecycle& operator=(const RunLifecycle&) = delete;

  // Runs the body. Returns 0 on success. After an interrupt, returns exit_saved, or 128 + the signal after Ctrl-C or if
  // nothing could be saved. If the body fails, fires on_exception and teardown, then throws Error.
  int run(const std::function<void()>& body);

  void begin_stage(uint32_t stage);  // from now on teardown is required
  void begin_loops();                // from now on error messages contain the position of the loops
  void end_stage();                  // runs the whole teardown, then throws Error{run} with its first problem, if any
  void begin_loggers();              // only the first call has an effect

 private:
  int interrupted(int signal);
  void failed(const Error& error);
  ErrorCode code_of(ErrorCode code) const;
  std::string place() const;
  bool has_place(const Error& error) const;  // true if the message needs no place()
  bool save_interrupted();                   // false if a fit could not be saved
  bool save_interruption();                  // likewise
  bool loses_everything(const Error& error) const;
  void tell_result();
  void save_finite();
  void tell_last_checkpoint();
  std::string why_not_worth_saving();  // "" = the state is good
  void tell_fit_is_done();
  void tell_nothing_was_saved();
  std::string finish_saves();
  void finish_saves_and_warn();
  std::string teardown();
  void teardown_and_warn();
  void finalize_loggers(const char* status);
  void show_urls();
  void report_profile();
  Console& console() { return parts_.output.console; }

  RunLifecycleParts parts_;
  RunProgress& progress_;
  bool in_stage_ = false, in_loops_ = false, loggers_began_ = false;
  bool can_test_ = false;             // model and data have a test; determined before the teardown
  uint32_t stage_ = LEVIN_STAGE_FIT;  // the stage of the last begin_stage()
};

}  // namespace levin::core
