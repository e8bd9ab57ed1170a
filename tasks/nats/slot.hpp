// One place for a task on a worker: takes tasks from the jobs in turn, computes them in child processes, and sends
// their results. It runs in a thread of its own.
#pragma once
#include <atomic>
#include <deque>
#include <map>
#include <memory>

#include "tasks/engine/worker_process.hpp"
#include "tasks/nats/held_tasks.hpp"
#include "tasks/nats/job_board.hpp"
#include "tasks/nats/job_stream.hpp"
#include "tasks/nats/libraries.hpp"

namespace levin::core::tasks {

// What the slots of a worker share.
struct WorkerParts {
  Bus& bus;
  JobBoard& board;
  HeldTasks& held;
  Libraries& libraries;
  std::string name;              // of the worker
  std::string program;           // host-tasks-worker
  std::filesystem::path folder;  // of what the processes print
  size_t slots = 1;
  bool trust = false;
  std::atomic<int> stops{0};         // 1 = no task begins, 2 = at once
  std::atomic<uint64_t> fetches{0};  // slots that get a library
};

class Slot {
 public:
  Slot(WorkerParts& parts, size_t number);
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Pulled {
    TaskMessage task;
    uint32_t attempt = 1;
    std::string id;     // in `held`
    std::string reply;  // the subject that acknowledges it
  };
  // The processes of a job, and how long its tasks take.
  struct Work {
    JobBoard::Job job;
    JobStream stream;
    WorkerPlan plan;
    std::unique_ptr<WorkerProcess> process;
    double seconds = 0;  // of a task, on average; 0 = unknown
    Clock::time_point used;
  };
  std::vector<JobBoard::Job> jobs_in_turn();
  Work* work_for(const JobBoard::Job& job);  // nullptr: this worker cannot use its library, or not yet
  bool prepare(Work& work);                  // returns false if the server has not sent the library
  std::deque<Pulled> pull(Work& work);
  void accept(Work& work, const BusMessage& message, std::deque<Pulled>& to);
  void compute_all(Work& work, std::deque<Pulled> tasks);
  std::optional<ResultRecord> compute(Work& work, const Pulled& pulled);
  std::optional<CallEnd> call(Work& work, Frame frame);
  void refuse(Work& work, const std::string& reason);
  void send(Work& work, ResultRecord record, const std::string& id);
  void flush(Work& work);
  void end_idle_processes();
  bool abandoned(const Work& work) const;

  WorkerParts& parts_;
  const size_t number_;
  const std::string name_, pulls_ = Bus::new_subject(), answers_ = Bus::new_subject();
  const std::unique_ptr<Bus::Inbox> pulled_, stored_;
  uint64_t pull_ = 0, flush_ = 0, blob_ = 0, turn_;
  std::string current_;  // session of the job whose turn it is
  Clock::time_point turn_ends_{};
  std::map<std::string, std::unique_ptr<Work>> works_;  // by session

  std::string message_;            // of results that were not sent yet
  std::vector<std::string> sent_;  // their tasks in `held`
  Clock::time_point first_{};      // of them
};

}  // namespace levin::core::tasks
