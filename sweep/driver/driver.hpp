// Runs a sweep: starts trials, waits for them, and records how each has ended.
#pragma once
#include <chrono>
#include <memory>
#include <set>
#include <vector>

#include "launch/common/descriptor.hpp"
#include "launch/common/event_loop.hpp"
#include "sweep/driver/settings.hpp"
#include "sweep/driver/trial_table.hpp"
#include "sweep/run/trial_run.hpp"
#include "sweep/study/journal.hpp"

namespace levin::core::sweep {

class Driver {
 public:
  // Takes the folder for this process. Throws Error{run} if another process runs the sweep.
  Driver(SweepFolder folder, SweepSettings settings, bool terminal);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Makes the next free folder for a new sweep.
  static SweepFolder new_folder(const SweepSettings& settings);
  // Returns true if a process runs the sweep.
  static bool runs(const SweepFolder& folder);

  int run();  // returns the exit code

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    int64_t trial;
    pid_t pid;
    int starts;    // in this process
    size_t place;  // among the trials that run at a time
  };

  bool fill();                   // starts what there is room for. Returns false if there is nothing more to do
  bool begin(const Step& step);  // a new trial, or one that goes on
  void start(int64_t trial, int starts);
  void take_over();  // trials that a killed sweep has left
  void reap();       // looks for processes that have ended
  void ended(const Running& run, int status);
  void job_ended(int64_t number);  // of a trial on a worker
  void record(const Trial& trial, const RunResult& result);
  void fail(const Trial& trial, const std::string& problem);
  void close_paused();  // at the end: trials that were not promoted
  void handle_signals();
  void refuse_to_repeat();  // throws if nothing but failures comes out
  const Trial& trial(int64_t number) const { return journal_.study().trials.at(static_cast<size_t>(number)); }
  RunPlan plan_of(const Trial& trial) const;
  size_t free_place() const;
  bool is_remote() const { return !settings_.server.empty(); }

  const SweepFolder folder_;
  const SweepSettings settings_;
  const Descriptor lock_;
  Journal journal_;
  const std::unique_ptr<Schedule> schedule_;
  const std::vector<std::string> gpus_;
  TrialTable table_;
  SignalSource signals_;
  std::vector<Running> running_;
  std::vector<int64_t> left_;  // trials that go on before others
  int signal_ = 0;
  bool done_ = false;
};

}  // namespace levin::core::sweep
