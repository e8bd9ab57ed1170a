// One call of the Trainer: the stage it is in, its loggers, and its end, however it comes: by success, a signal or a
// failure.
#pragma once
#include <functional>
#include <string>

#include "core/trainer/assembly.hpp"
#include "core/trainer/profiling/profiler.hpp"

namespace levin::core {

class Call {
 public:
  // profiler: nullptr where none was asked for.
  Call(Assembly& assembly, const Profiler* profiler) : a_(assembly), profiler_(profiler) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

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

  Assembly& a_;
  const Profiler* profiler_;
  bool in_stage_ = false, in_loops_ = false, loggers_began_ = false;
  uint32_t stage_ = LEVIN_STAGE_FIT;  // that setup was told
};

}  // namespace levin::core
