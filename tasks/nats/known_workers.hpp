// The workers of a server, as a job's driver knows them from what they say.
#pragma once
#include <chrono>
#include <map>
#include <string>

#include "tasks/common/resources.hpp"
#include "tasks/nats/job_info.hpp"

namespace levin::core::tasks {

class KnownWorkers {
 public:
  using Clock = std::chrono::steady_clock;

  // Returns true if the worker could take no task before.
  bool update(const WorkerInfo& worker);
  void refuses(const std::string& name, const std::string& why) { workers_[name].refusal = why; }  // the library
  void accepts(const std::string& name);
  void drop_silent();                               // workers that say nothing any more take no tasks
  uint64_t slots() const;                           // of the workers that can use the library
  std::string a_refusal() const;                    // why a worker cannot use the library; "" = all can
  std::string unmet(const Needs&) const;            // why no worker can run such a task; "" = one can, or there is none
  Clock::time_point busy() const { return busy_; }  // when a worker last had a task
  void now_busy() { busy_ = Clock::now(); }

 private:
  struct Worker {
    uint64_t slots = 0;
    Capacity capacity;
    Clock::time_point seen;
    std::string refusal;
  };
  std::map<std::string, Worker> workers_;
  Clock::time_point busy_ = Clock::now();
};

}  // namespace levin::core::tasks
