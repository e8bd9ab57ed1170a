#include "core/logging/delivery.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "core/abi/failure.hpp"

namespace levin::core {
namespace {

using Lock = std::unique_lock<std::mutex>;
bool may_be_dropped(LoggerCall::Kind kind) {
  return kind == LoggerCall::Kind::metrics || kind == LoggerCall::Kind::media;
}

constexpr auto grace = std::chrono::seconds(1);  // for a running call when the logger is given up

}  // namespace

struct Delivery::Shared {
  Parts parts;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<LoggerCall> waiting;  // the first one is running if `calling` is set
  CallCounts dropped;
  size_t bytes = 0;
  Clock::time_point began{};
  bool calling = false, failed = false, ending = false, left = false;

  explicit Shared(Parts p) : parts(std::move(p)) {}
  std::string name() const { return parts.logger.plugin() + ": " + parts.logger.instance(); }
  bool full() const { return waiting.size() >= parts.limits.calls || bytes >= parts.limits.bytes; }
  std::string waiting_text() const {
    CallCounts all;
    for (const LoggerCall& call : waiting) all.add(call.kind);
    return all.text();
  }
  void add(LoggerCall call);
  void drop(LoggerCall::Kind kind);
  bool make(Lock& lock);
  void leave_out(Lock& lock, const std::string& problem);
  static void run(const std::shared_ptr<Shared>& self);
};

void Delivery::Shared::add(LoggerCall call) {
  // A flush directly after another has nothing to write.
  const bool last_flushes = !waiting.empty() && waiting.back().kind == LoggerCall::Kind::flush;
  if (call.kind == LoggerCall::Kind::flush && last_flushes && !(calling && waiting.size() == 1)) return;
  bytes += call.bytes();
  waiting.push_back(std::move(call));
  changed.notify_all();
}

void Delivery::Shared::drop(LoggerCall::Kind kind) {
  const bool first = dropped.text().empty();
  dropped.add(kind);
  if (!first) return;
  parts.warn(
      name() + ": " + std::to_string(waiting.size()) +
      " calls wait for this logger, and its queue is full: rows of metrics and media are dropped until it has room");
}

// Makes the first queued call, which stays in the queue meanwhile. Returns false if the thread has to end.
bool Delivery::Shared::make(Lock& lock) {
  const LoggerCall& call = waiting.front();
  calling = true;
  began = Clock::now();
  lock.unlock();
  std::string problem;
  StateBag state;
  const bool saves = call.kind == LoggerCall::Kind::flush && parts.logger.has_state();
  try {
    call.make(parts.logger);
    if (saves) {
      const levin_writer writer = state.writer();
      parts.logger.save(writer);
    }
    parts.delivered(call.number);
  } catch (const std::exception& e) {
    problem = brief(e);
  }
  lock.lock();
  calling = false;
  if (left) return false;
  if (!problem.empty()) {
    leave_out(lock, problem);
    return true;
  }
  if (saves) parts.state = std::move(state);
  bytes -= call.bytes();
  waiting.pop_front();
  return true;
}

void Delivery::Shared::leave_out(Lock& lock, const std::string& problem) {
  failed = true;
  waiting.pop_front();
  const std::string lost = waiting_text();
  waiting.clear();
  bytes = 0;
  lock.unlock();
  parts.warn(problem + "; the logger is skipped for the rest of the run" +
             (lost.empty() ? "" : ", and its queued calls are lost: " + lost));
  lock.lock();
}

void Delivery::Shared::run(const std::shared_ptr<Shared>& self) {
  Lock lock(self->mutex);
  while (true) {
    self->changed.wait(lock, [&] { return self->ending || !self->waiting.empty(); });
    if (self->ending || !self->make(lock)) return;
    self->changed.notify_all();
  }
}

Delivery::Delivery(Parts parts) : shared_(std::make_shared<Shared>(std::move(parts))), thread_(&Shared::run, shared_) {}

Delivery::~Delivery() { give_up(); }

bool Delivery::takes(LoggerCall::Kind kind) {
  const Lock lock(shared_->mutex);
  if (shared_->failed || shared_->ending) return false;
  if (!may_be_dropped(kind) || !shared_->full()) return true;
  shared_->drop(kind);
  return false;
}

void Delivery::put(LoggerCall call) {
  const Lock lock(shared_->mutex);
  if (shared_->failed) return;
  call.number = ++shared_->parts.last;
  shared_->add(std::move(call));
}

void Delivery::repeat(LoggerCall call) {
  const Lock lock(shared_->mutex);
  shared_->add(std::move(call));
}

bool Delivery::wait_until(Clock::time_point deadline) {
  Lock lock(shared_->mutex);
  return shared_->changed.wait_until(lock, deadline, [this] { return shared_->waiting.empty(); });
}

bool Delivery::give_up() {
  if (!thread_.joinable()) return !shared_->left;
  Lock lock(shared_->mutex);
  shared_->ending = true;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, grace, [this] { return !shared_->calling; });
  const std::string lost = shared_->waiting_text();
  shared_->left = shared_->calling;
  if (shared_->left) {
    const auto since = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - shared_->began);
    shared_->parts.warn(shared_->parts.logger.plugin() + ": " + shared_->parts.logger.instance() + "." +
                        shared_->waiting.front().name() + " has not returned for " + std::to_string(since.count()) +
                        " s; lost: " + lost);
    thread_.detach();
    return false;
  }
  lock.unlock();
  thread_.join();
  if (!lost.empty()) shared_->parts.warn(shared_->name() + " is too slow: lost: " + lost);
  return true;
}

StateBag Delivery::state() const {
  const Lock lock(shared_->mutex);
  return shared_->parts.state;
}

WaitingCalls Delivery::waiting() const {
  const Lock lock(shared_->mutex);
  return {{shared_->waiting.begin(), shared_->waiting.end()}, shared_->parts.last};
}

size_t Delivery::size() const {
  const Lock lock(shared_->mutex);
  return shared_->waiting.size();
}

std::string Delivery::dropped() const {
  const Lock lock(shared_->mutex);
  return shared_->dropped.text();
}

}  // namespace levin::core
