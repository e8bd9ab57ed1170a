// One call of the Trainer: the stage it is in, its loggers, and its end, however it comes: by success, a signal or a
// failure.
#pragma once
#include <functional>
#include <string>

#include "core/checkpoint/training_state.hpp"
#include "core/trainer/assembly/run_output.hpp"
#include "core/trainer/assembly/run_services.hpp"
#include "core/trainer/profiling/profiler.hpp"

namespace levin::core {

struct RunLifecycleParts {
  const RunSettings& settings;
  RunOutput& output;
  Dispatcher& hooks;
  DataModule& data;
  LoggerList& loggers;
  RunLoops& loops;
  TrainingState& state;
  const RunTexts& texts;
  const Profiler* profiler;  // nullptr where none was asked for
};

class RunLifecycle {
 public:
  explicit RunLifecycle(const RunLifecycleParts& parts) : parts_(parts), progress_(parts.loops.context.progress) {}
  RunLifecycle(const RunLifecycle&) = delete;
  RunLifecycle& operator=(const RunLifecycle&) = delete;

  // Runs the body. Returns the exit code of an interrupted run, or 0. Throws Error after the hooks of the exception and
  // of teardown have run.
  int run(const std::function<void()>& body);

  void begin_stage(uint32_t stage);  // from now on there is something to tear down
  void begin_loops();                // from now on a failure says where the loops were
  void end_stage();                  // teardown; throws Error{run} with the first problem after all of it has run
  void begin_loggers();              // once, however many stages there are

 private:
  int interrupted(int signal);
  void failed(const std::string& text);
  std::string place() const;
  void save_interrupted();
  std::string teardown();
  void teardown_and_warn();
  void finalize_loggers(const char* status);
  void report_profile();
  Console& console() { return parts_.output.console; }

  RunLifecycleParts parts_;
  RunProgress& progress_;
  bool in_stage_ = false, in_loops_ = false, loggers_began_ = false;
  uint32_t stage_ = LEVIN_STAGE_FIT;  // that setup was told
};

}  // namespace levin::core
