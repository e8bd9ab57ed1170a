// The jobs that drivers announce, as a worker sees them. For several threads.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "tasks/nats/job_info.hpp"

namespace levin::core::tasks {

class JobBoard {
 public:
  using Job = std::shared_ptr<const JobInfo>;
  void announced(JobInfo job);
  void stopped(const JobSession& job);  // its tasks are abandoned
  void held(const JobSession& job);     // no more of its tasks begin
  void refuse(const JobInfo& job);      // this worker cannot use the library

  // Jobs whose tasks may begin: those of the highest priority first, and `turn` says which of several equal ones is the
  // first.
  std::vector<Job> open(size_t turn) const;
  bool is_stopped(const JobInfo& job) const;

  // A thread that has found no task waits until one may have come.
  uint64_t news() const { return news_; }
  void wake();
  void wait(uint64_t seen, std::chrono::milliseconds time);

 private:
  using Clock = std::chrono::steady_clock;
  struct Known {
    Job job;
    Clock::time_point seen;
    bool open = true;
  };
  void close(const JobSession& job);
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Known> known_;  // by id
  std::set<std::string> stopped_;       // sessions
  std::atomic<uint64_t> news_{0};
};

}  // namespace levin::core::tasks
