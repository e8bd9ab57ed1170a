#include "tasks/driver/waiting_tasks.hpp"

#include <algorithm>
#include <utility>

namespace levin::core::tasks {
namespace {

constexpr uint64_t removed = UINT64_MAX;  // the index of a task that was removed from the middle of a group

bool is_removed(const WaitingTask& task) { return task.index == removed; }

// Keeps it so that the last task of a group is one that waits.
void drop_removed(TaskGroup& group) {
  while (!group.tasks.empty() && is_removed(group.tasks.back())) group.tasks.pop_back();
}

}  // namespace

WaitingTasks::WaitingTasks(const std::vector<std::string>& needs, const std::vector<WaitingTask>& tasks) {
  for (const std::string& text : needs) groups_.push_back({tasks::needs_of(text), {}, {}, false});
  for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) add(*task);
}

bool WaitingTasks::empty() const {
  return later_.empty() &&
         std::all_of(groups_.begin(), groups_.end(), [](const TaskGroup& group) { return group.tasks.empty(); });
}

std::vector<TaskGroup*> WaitingTasks::in_order() {
  std::vector<TaskGroup*> out;
  for (TaskGroup& group : groups_) {
    if (!group.tasks.empty() && !group.unmet_since) out.push_back(&group);
  }
  std::sort(out.begin(), out.end(), [](const TaskGroup* a, const TaskGroup* b) {
    const WaitingTask &x = a->tasks.back(), &y = b->tasks.back();
    return x.weight != y.weight ? x.weight > y.weight : x.index < y.index;
  });
  return out;
}

void WaitingTasks::add_due() {
  while (!later_.empty() && later_.begin()->first <= Clock::now()) {
    add(later_.begin()->second);
    later_.erase(later_.begin());
  }
}

std::optional<WaitingTask> WaitingTasks::remove(uint64_t index) {
  for (auto i = later_.begin(); i != later_.end(); ++i) {
    if (i->second.index != index) continue;
    const WaitingTask out = i->second;
    later_.erase(i);
    return out;
  }
  for (TaskGroup& group : groups_) {
    const auto found =
        std::find_if(group.tasks.rbegin(), group.tasks.rend(), [&](const auto& task) { return task.index == index; });
    if (found == group.tasks.rend()) continue;
    const WaitingTask out = *found;
    found->index = removed;
    drop_removed(group);
    return out;
  }
  return std::nullopt;
}

WaitingTask WaitingTasks::take_next(TaskGroup& group) {
  const WaitingTask out = group.tasks.back();
  group.tasks.pop_back();
  drop_removed(group);
  return out;
}

std::vector<WaitingTask> WaitingTasks::take_all(TaskGroup& group) {
  std::vector<WaitingTask> out = std::exchange(group.tasks, {});
  out.erase(std::remove_if(out.begin(), out.end(), is_removed), out.end());
  return out;
}

}  // namespace levin::core::tasks
