// One place for a task on a worker: takes tasks from the jobs in turn, computes them in child processes, and sends
// their results. It runs in a thread of its own.
#pragma once
#include <deque>
#include <map>
#include <memory>

#include "tasks/engine/worker_process.hpp"
#include "tasks/nats/job_stream.hpp"
#include "tasks/nats/result_sender.hpp"
#include "tasks/nats/worker_parts.hpp"

namespace levin::core::tasks {

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
  // The process of a job for the tasks of one of its queues, and how long they take.
  struct Work {
    JobBoard::Job job;
    JobStream stream;
    WorkerPlan plan;
    std::unique_ptr<WorkerProcess> process;
    double seconds = 0;  // of a task, on average; 0 = unknown
    Clock::time_point used;
    size_t queue = 0;
    Needs needs;
    std::optional<Share> share;  // what its tasks may use now
    Clock::time_point looked;    // at what waits for more than is free
    std::string name() const { return job->session + "." + std::to_string(queue); }
  };
  std::vector<JobBoard::Job> jobs_in_turn();
  using Works = std::map<std::string, std::unique_ptr<Work>>;
  bool take_tasks(const JobBoard::Job& job);
  Work* work_for(const JobBoard::Job& job, size_t queue);  // nullptr: this worker cannot use its library, or not yet
  bool prepare(Work& work);                                // returns false if the server has not sent the library
  bool take_share(Work& work);
  void give_back_share(Work& work);
  void keep_room(Work& work);
  std::deque<Pulled> pull(Work& work);
  void accept(Work& work, const BusMessage& message, std::deque<Pulled>& to);
  void compute_all(Work& work, std::deque<Pulled> tasks);
  std::optional<ResultRecord> compute(Work& work, const Pulled& pulled);
  std::optional<CallEnd> call(Work& work, Frame frame);
  void refuse(Work& work, const std::string& reason);
  void end_idle_processes();
  void end(Works::iterator work);
  bool abandoned(const Work& work) const { return parts_.abandons(*work.job); }

  WorkerParts& parts_;
  const size_t number_;
  const std::string name_, pulls_ = Bus::new_subject();
  const std::unique_ptr<Bus::Inbox> pulled_;
  uint64_t pull_ = 0, blob_ = 0, turn_;
  std::string current_;  // session of the job whose turn it is
  Clock::time_point turn_ends_{};
  Works works_;  // by session and queue
  ResultSender results_;
};

}  // namespace levin::core::tasks
