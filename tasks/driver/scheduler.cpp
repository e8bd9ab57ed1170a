#include "tasks/driver/scheduler.hpp"

#include <algorithm>

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds commit_every{100};
constexpr uint64_t most_failures_shown = 5;
constexpr milliseconds patience_with_needs{10000};  // before a task that no worker can run is reported
constexpr double slow = 2;                          // times the usual time of a task of its weight
constexpr double least_slow_seconds = 1;

// The time before the next attempt: 0.1 s, 0.2 s, 0.4 s, ... up to 10 s.
milliseconds backoff(uint32_t attempts) { return milliseconds(std::min(10000, 100 << std::min(attempts - 1, 7u))); }

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string name_of_task(const RecordFile& tasks, const WaitingTask& task) {
  const std::string head = tasks.read({task.data.offset, std::min<uint64_t>(task.data.size, 4096)});
  const std::string_view name = unpacked_task(head).name;
  return name.empty() ? "" : " (" + std::string(name) + ")";
}

WaitingTasks queued(Ledger& ledger) {
  ledger.retry_failed();
  return WaitingTasks(ledger.needs(), ledger.waiting());
}

}  // namespace

Scheduler::Scheduler(const JobSettings& settings, const JobFiles& files, Ledger& ledger, Engine& engine,
                     StopRequest& stop, bool terminal)
    : settings_(settings),
      ledger_(ledger),
      engine_(engine),
      stop_(stop),
      data_(files.tasks()),
      results_(files.results(), ledger.results_end()),
      waiting_(queued(ledger)),
      counts_(ledger.counts()),
      progress_(counts_, terminal) {}

bool Scheduler::run() {
  while (counts_.done + counts_.failed < counts_.all) {
    if (!stop_.signal) look_at_needs();
    if (!stop_.signal) submit_due();
    if (!stop_.signal && settings_.speculative) repeat_slow_tasks();
    if (counts_.done + counts_.failed == counts_.all) break;
    if ((stop_.signal && running_.empty()) || stop_.at_once) break;
    for (const TaskEvent& event : engine_.wait(open_ ? milliseconds(20) : milliseconds(200), stop_.fd())) record(event);
    commit_if_due(false);
    look_at_stop();
    progress_.update(counts_, engine_.running());
  }
  commit_if_due(true);
  engine_.stop();
  progress_.end(counts_);
  return counts_.done == counts_.all;
}

void Scheduler::look_at_stop() {
  const bool goes_on = stop_.signal == 0;
  if (!stop_.asked() || !goes_on || stop_.at_once || running_.empty()) return;
  engine_.hold();
  progress_.say("Ctrl-C: waiting for " + std::to_string(engine_.running()) +
                " running tasks; Ctrl-C again stops at once");
}

void Scheduler::submit_due() {
  waiting_.add_due();
  for (bool submitted = true; submitted && engine_.room() > 0;) {
    submitted = false;
    Amounts kept;  // for heavier tasks that need more than is free, because they would wait for ever else
    for (TaskGroup* group : waiting_.in_order()) {
      if (!engine_.takes(group->needs, kept)) {
        kept = sum_of(kept, amounts_of(group->needs));
        continue;
      }
      submit(WaitingTasks::take_next(*group), false);
      submitted = true;
      break;
    }
  }
}

void Scheduler::submit(const WaitingTask& task, bool copy) {
  Running& now = running_[task.index];
  if (copy)
    ++now.attempts;
  else
    now = {task, Clock::now(), 1};
  engine_.submit({task.index, task.attempts + 1, data_.read(task.data), waiting_.needs_of(task), copy});
}

// Tasks that no worker can run are set aside, or, if other workers may come, wait and are reported.
void Scheduler::look_at_needs() {
  const auto now = Clock::now();
  if (now - looked_at_needs_ < milliseconds(1000)) return;
  looked_at_needs_ = now;
  for (TaskGroup& group : waiting_.groups()) {
    const auto [first, count] = unfinished(group);
    const std::string unmet = count == 0 ? "" : engine_.unmet(group.needs);
    if (unmet.empty()) {
      group.unmet_since.reset();
      group.reported = false;
      continue;
    }
    if (!group.unmet_since) group.unmet_since = now;
    if (!engine_.grows()) {
      set_aside(group, unmet);
    } else if (now - *group.unmet_since >= patience_with_needs && !group.reported) {
      group.reported = true;
      progress_.say("task " + std::to_string(first.index) + name_of_task(data_, first) +
                    (count > 1 ? " and " + std::to_string(count - 1) + " others" : "") + " cannot run: " + unmet +
                    "; waiting for a worker that has it");
      begin_changes();
      ledger_.note_waiting(text_of(group.needs), unmet);
    }
  }
}

// The first of the group's tasks that wait or are with the engine, and how many there are.
std::pair<WaitingTask, size_t> Scheduler::unfinished(const TaskGroup& group) {
  const auto number = static_cast<size_t>(&group - waiting_.groups().data());
  std::pair<WaitingTask, size_t> out{{}, group.tasks.size()};
  if (!group.tasks.empty()) out.first = group.tasks.back();
  for (const auto& [index, running] : running_)
    if (running.task.needs == number && out.second++ == 0) out.first = running.task;
  return out;
}

void Scheduler::set_aside(TaskGroup& group, const std::string& why) {
  begin_changes();
  for (const WaitingTask& task : WaitingTasks::take_all(group)) {
    ledger_.fail({task.index, task.attempts, "", 0}, why, true);
    if (++counts_.failed <= most_failures_shown)
      progress_.say("task " + std::to_string(task.index) + name_of_task(data_, task) + " is set aside: " + why);
  }
}

// Near the end, idle workers run the slowest tasks a second time. The first result counts.
void Scheduler::repeat_slow_tasks() {
  if (!waiting_.empty() || weight_done_ <= 0) return;
  while (engine_.idle() > 0) {
    const Running* slowest = nullptr;
    for (const auto& [index, running] : running_) {
      const double usual = seconds_done_ / weight_done_ * running.task.weight;
      const double now = std::chrono::duration<double>(Clock::now() - running.begun).count();
      if (running.attempts > 1 || now < std::max(least_slow_seconds, slow * usual)) continue;
      if (!engine_.takes(waiting_.needs_of(running.task), {})) continue;
      if (!slowest || running.begun < slowest->begun) slowest = &running;
    }
    if (!slowest) return;
    submit(slowest->task, true);
  }
}

void Scheduler::begin_changes() {
  if (open_) return;
  ledger_.begin();
  open_ = true;
  commit_due_ = Clock::now() + commit_every;
}

void Scheduler::record(const TaskEvent& event) {
  if (event.how == Ended::note) return progress_.say(event.bytes);
  const auto found = running_.find(event.index);
  if (event.how != Ended::result && found != running_.end() && found->second.attempts > 1) {
    --found->second.attempts;  // the other one decides
    return;
  }
  if (event.how == Ended::returned && found != running_.end()) {
    const WaitingTask& task = found->second.task;
    waiting_.add(task);
    running_.erase(found);
  }
  if (event.how == Ended::returned || (found == running_.end() && event.how != Ended::result)) return;
  begin_changes();
  event.how == Ended::result ? record_result(event) : record_failure(event);
}

void Scheduler::record_result(const TaskEvent& event) {
  const auto found = running_.find(event.index);
  const bool twice = found != running_.end() && found->second.attempts > 1;
  const std::optional<WaitingTask> task = found != running_.end() ? found->second.task : waiting_.remove(event.index);
  if (found != running_.end()) running_.erase(found);
  if (twice) engine_.cancel(event.index);
  if (!task) return;  // a late duplicate
  const Place place = results_.append(event.bytes);
  if (!ledger_.finish({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, place)) return;
  ++counts_.done;
  counts_.weight_done += task->weight;
  seconds_done_ += event.seconds;
  weight_done_ += task->weight;
}

void Scheduler::record_failure(const TaskEvent& event) {
  WaitingTask task = running_.at(event.index).task;
  running_.erase(event.index);
  task.attempts = event.attempt;
  const bool given_up = static_cast<int64_t>(task.attempts) >= settings_.attempts;
  ledger_.fail({event.index, event.attempt, event.worker, event.seconds, seconds_since_1970()}, event.bytes, given_up);
  if (given_up && ++counts_.failed <= most_failures_shown)
    progress_.say("task " + std::to_string(event.index) + " is set aside after " + std::to_string(task.attempts) +
                  " attempts: " + event.bytes);
  if (!given_up) waiting_.add_at(Clock::now() + backoff(task.attempts), task);
}

// A result counts once it is on the disk: the file of results first, then the ledger.
void Scheduler::commit_if_due(bool now) {
  if (!open_ || (!now && Clock::now() < commit_due_)) return;
  results_.sync();
  ledger_.commit();
  open_ = false;
  engine_.recorded();
}

}  // namespace levin::core::tasks
