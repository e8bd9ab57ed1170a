#include "tasks/engine/local_engine.hpp"

#include <poll.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;
using Processes = std::vector<WorkerProcess*>;

// Waits for one of the processes, their time limits or `wake`. Returns true if `wake` is readable.
bool poll_processes(const Processes& processes, milliseconds time, int wake) {
  std::vector<pollfd> fds = {{wake, POLLIN, 0}};
  for (const WorkerProcess* p : processes) {
    if (const auto limit = p->deadline())
      time = std::clamp(std::chrono::ceil<milliseconds>(*limit - WorkerProcess::Clock::now()), milliseconds(0), time);
    if (p->fd() >= 0) fds.push_back({p->fd(), static_cast<short>(p->has_output() ? POLLIN | POLLOUT : POLLIN), 0});
  }
  ::poll(fds.data(), fds.size(), static_cast<int>(time.count()));
  return (fds[0].revents & POLLIN) != 0;
}

TaskEvent event_of(CallEnd end, const WorkerProcess& worker) {
  TaskEvent out;
  out.how = end.how == CallEnd::How::result   ? Ended::result
            : end.how == CallEnd::How::failed ? Ended::failed
                                              : Ended::lost;
  out.index = end.frame.index;
  out.attempt = end.frame.attempt;
  out.worker = worker.name();
  out.seconds = end.seconds;
  out.bytes = end.how == CallEnd::How::result ? std::move(end.frame.bytes) : std::move(end.reason);
  return out;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

LocalEngine::LocalEngine(WorkerPlan plan) : plan_(std::move(plan)), pool_(plan_.machine) {
  for (size_t i = 1; i <= plan_.workers; ++i) workers_.push_back(std::make_unique<WorkerProcess>(plan_, i));
}

size_t LocalEngine::room() const {
  return static_cast<size_t>(std::count_if(workers_.begin(), workers_.end(), [](const auto& w) { return !w->busy(); }));
}

std::string LocalEngine::unmet(const Needs& needs) const {
  const std::string out = lacking(plan_.machine.capacity, needs);
  return out.empty() ? "" : "this machine lacks " + out;
}

// A worker whose process has run such a task, or else one without a process, or any.
WorkerProcess& LocalEngine::free_worker(const Needs& needs) {
  WorkerProcess* best = nullptr;
  int best_rank = -1;
  for (const auto& worker : workers_) {
    if (worker->busy()) continue;
    const bool same = worker->share().amounts.cpus == needs.cpus && worker->share().gpus.size() == needs.gpus;
    const int rank = worker->pid() < 0 ? 1 : same ? 2 : 0;
    if (rank > best_rank) best = worker.get(), best_rank = rank;
  }
  if (!best) throw Error(ErrorCode::internal_error, "a task was submitted to an engine without room");
  return *best;
}

void LocalEngine::submit(QueuedTask task) {
  WorkerProcess& worker = free_worker(task.needs);
  const std::optional<Share> share = pool_.take(task.needs, worker.share().gpus);
  if (!share) throw Error(ErrorCode::internal_error, "a task was submitted to an engine without room for its needs");
  for (const std::string& gpu : share->gpus)  // an idle process may have memory of the GPU
    for (const auto& other : workers_)
      if (other.get() != &worker && !other->busy() && has(other->share().gpus, gpu)) other->stop();
  worker.give({Message::handle, task.attempt, task.index, std::move(task.bytes)}, *share);
}

void LocalEngine::cancel(uint64_t index) {
  for (const auto& worker : workers_) {
    if (!worker->computes(index)) continue;
    worker->stop();
    pool_.give_back(worker->share());
  }
}

std::vector<TaskEvent> LocalEngine::wait(milliseconds time, int wake) {
  Processes all;
  for (const auto& worker : workers_) all.push_back(worker.get());
  poll_processes(all, time, wake);
  std::vector<TaskEvent> out;
  for (const auto& worker : workers_) {
    std::optional<CallEnd> end = worker->look();
    if (!end) continue;
    pool_.give_back(worker->share());
    if (end->how == CallEnd::How::refused) throw Error(ErrorCode::plugin_does_not_load, end->reason);
    out.push_back(event_of(std::move(*end), *worker));
  }
  return out;
}

void LocalEngine::stop() {
  for (const auto& worker : workers_) worker->stop();
}

std::optional<CallEnd> call_alone(WorkerPlan plan, Frame call, int wake, const std::function<bool()>& stop) {
  plan.time_limit = 0;
  WorkerProcess process(plan, 0);
  process.give(std::move(call));
  for (;;) {
    if (poll_processes({&process}, milliseconds(1000), wake) && stop()) return std::nullopt;
    std::optional<CallEnd> end = process.look();
    if (end && end->how == CallEnd::How::refused) throw Error(ErrorCode::plugin_does_not_load, end->reason);
    if (end) return end;
  }
}

}  // namespace levin::core::tasks
