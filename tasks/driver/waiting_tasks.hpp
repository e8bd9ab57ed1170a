// The tasks of a job that no engine has: those that may start, in groups with the same needs, and those that wait for
// their next attempt.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "tasks/common/resources.hpp"
#include "tasks/ledger/ledger.hpp"

namespace levin::core::tasks {

// Tasks with the same needs.
struct TaskGroup {
  Needs needs;
  std::vector<WaitingTask> tasks;                                    // the next one is the last
  std::optional<std::chrono::steady_clock::time_point> unmet_since;  // no worker can run them
  bool reported = false;
};

class WaitingTasks {
 public:
  using Clock = std::chrono::steady_clock;

  // needs: of each group, in the order of WaitingTask::needs. tasks: in the order in which they are to start.
  WaitingTasks() = default;
  WaitingTasks(const std::vector<std::string>& needs, const std::vector<WaitingTask>& tasks);

  bool empty() const;
  std::vector<TaskGroup>& groups() { return groups_; }
  const Needs& needs_of(const WaitingTask& task) const { return groups_[task.needs].needs; }
  // The groups whose next task may start, the one with the heaviest task first.
  std::vector<TaskGroup*> in_order();
  void add(const WaitingTask& task) { groups_[task.needs].tasks.push_back(task); }
  void add_at(Clock::time_point when, const WaitingTask& task) { later_.emplace(when, task); }
  void add_due();  // the tasks whose time has come
  // Removes a task, because its result has come from an earlier attempt. Returns nothing if it does not wait.
  std::optional<WaitingTask> remove(uint64_t index);
  static WaitingTask take_next(TaskGroup& group);
  static std::vector<WaitingTask> take_all(TaskGroup& group);

 private:
  std::vector<TaskGroup> groups_;
  std::multimap<Clock::time_point, WaitingTask> later_;
};

}  // namespace levin::core::tasks
