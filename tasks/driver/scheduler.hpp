// The tasks of one job from the first attempt to the last: hands them to an engine, records their results in the
// ledger, and retries what failed.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/driver/progress.hpp"
#include "tasks/driver/stop_request.hpp"
#include "tasks/driver/waiting_tasks.hpp"
#include "tasks/engine/engine.hpp"
#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

class Scheduler {
 public:
  Scheduler(const JobSettings& settings, const JobFiles& files, Ledger& ledger, Engine& engine, StopRequest& stop,
            bool terminal);
  bool run();  // returns false if a signal, or a task that failed, came first
  const TaskCounts& counts() const { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    WaitingTask task;
    Clock::time_point begun;
    int attempts = 1;  // at the same time
  };
  void submit_due();
  void submit(const WaitingTask& task, bool copy);
  void look_at_needs();  // of tasks that no worker can run
  std::pair<WaitingTask, size_t> unfinished(const TaskGroup& group);
  void set_aside(TaskGroup& group, const std::string& why);
  void repeat_slow_tasks();
  void begin_changes();  // of the ledger, if they are not begun
  void record(const TaskEvent& event);
  void record_result(const TaskEvent& event);
  void record_failure(const TaskEvent& event);
  void commit_if_due(bool now);
  void look_at_stop();

  const JobSettings& settings_;
  Ledger& ledger_;
  Engine& engine_;
  StopRequest& stop_;
  RecordFile data_, results_;
  WaitingTasks waiting_;
  std::map<uint64_t, Running> running_;
  double seconds_done_ = 0, weight_done_ = 0;  // of tasks that this driver has seen end
  TaskCounts counts_;
  Progress progress_;
  bool open_ = false;  // there are changes of the ledger to commit
  Clock::time_point commit_due_, looked_at_needs_{};
};

}  // namespace levin::core::tasks
