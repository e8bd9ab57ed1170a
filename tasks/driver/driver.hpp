// One job from its file of tasks to its output: reads the tasks, hands them to an engine, records their results,
// retries what failed, and sums. Everything that it has recorded is kept when it is killed.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "launch/common/event_loop.hpp"
#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/driver/progress.hpp"
#include "tasks/driver/waiting_tasks.hpp"
#include "tasks/engine/local_engine.hpp"
#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

class Driver {
 public:
  // Takes the lock of the run folder. Throws Error{run} if another driver has it.
  Driver(JobFiles files, bool terminal);
  // Begins a job, or goes on with one. Returns the exit code: 0 = the output is there, 1 = a task or sum has failed, or
  // that of the signal that stopped it.
  int run(const JobSettings& settings);

  static bool runs(const JobFiles& files);  // true if a driver has the lock of the run folder
  // The settings of a job that goes on. Throws Error{usage} if the folder has none.
  static JobSettings settings_of(const JobFiles& files);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    WaitingTask task;
    Clock::time_point begun;
    int attempts = 1;  // at the same time
  };
  WorkerPlan plan() const;
  std::unique_ptr<Engine> make_engine();
  std::optional<CallEnd> call_alone(Frame call);
  // Each returns false if a signal, or a task that failed, came first.
  bool read();
  void import();  // what read has written
  bool handle();
  bool handle_or_leave();
  bool sum();
  void queue_all();
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
  bool stop_asked();
  int give_up_or_stop(const std::string& what);

  const JobFiles files_;
  Descriptor lock_;
  std::unique_ptr<Ledger> ledger_;
  JobSettings settings_;
  const bool terminal_;
  SignalSource signals_;
  int signal_ = 0;  // the one that asked to stop; 0 = none
  bool at_once_ = false;

  // While tasks are handled:
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<RecordFile> data_, results_;
  WaitingTasks waiting_;
  std::map<uint64_t, Running> running_;
  double seconds_done_ = 0, weight_done_ = 0;  // of tasks that this driver has seen end
  TaskCounts counts_;
  std::optional<Progress> progress_;
  bool open_ = false;  // there are changes of the ledger to commit
  Clock::time_point commit_due_, looked_at_needs_{};
};

}  // namespace levin::core::tasks
