// Runs trials one after another for another program, which says their values and gets the values of the metric, in
// lines of JSON. docs/sweeps.md describes them.
#pragma once
#include <deque>
#include <memory>
#include <optional>

#include "launch/common/event_loop.hpp"
#include "runs/metric_history.hpp"
#include "sweep/run/trial_run.hpp"
#include "sweep/trial/trial_arguments.hpp"

namespace levin::core::sweep {

class TrialSession {
 public:
  explicit TrialSession(TrialArguments arguments);
  ~TrialSession();
  TrialSession(const TrialSession&) = delete;
  TrialSession& operator=(const TrialSession&) = delete;

  // Runs the trial of --params, or those that the standard input names until it ends. Returns the exit code. Throws
  // Error{usage} for a line that is not understood.
  int run();

 private:
  void wait();
  void read_input();
  void handle_line(const std::string& line);
  void handle_signals();
  void start(const nlohmann::json& params);
  RunPlan plan_of(const nlohmann::json& params) const;
  void stop(int signal);
  void report_values();
  void reap();
  void end(const RunResult& result, const char* state);
  void print(const nlohmann::json& event) const;

  const TrialArguments arguments_;
  SignalSource signals_;
  bool open_;                           // more trials may come
  std::string input_;                   // a line that is not whole yet
  int64_t lines_ = 0;                   // read
  std::deque<nlohmann::json> waiting_;  // values of trials
  std::optional<RunPlan> plan_;         // of the trial that runs
  pid_t pid_ = -1;
  bool stopping_ = false;
  std::unique_ptr<MetricReader> metrics_;
  size_t reported_ = 0;  // values of the metric
  int signal_ = 0;
  bool failed_ = false;
};

}  // namespace levin::core::sweep
