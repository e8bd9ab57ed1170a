#include "core/trainer/watchdog.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "core/base/error.hpp"
#include "core/checkpoint/save_queue.hpp"
#include "core/progress/stop_request.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {
namespace {

constexpr double patience_by_default = 60, patience_after_signal = 20;
constexpr double patience_at_the_end = 5;  // once everything is saved
constexpr double longer_than_ever = 3;     // factor: calls up to this many times the longest one do not hang
constexpr size_t most_calls = 64;

std::string call_name(const RunningCall& call) {
  return std::string(call.plugin) + ": " + (call.instance[0] ? std::string(call.instance) + "." : "") + call.call;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f s", seconds < 10 ? 1 : 0, seconds);
  return text;
}

// Leaves signals to the other threads.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Watchdog::Watchdog(std::optional<double> patience, Console& console)
    : patience_(patience), console_(console), training_thread_(gettid()) {
  if (patience_ != 0.0) thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch() {
  block_signals();
  const std::chrono::duration<double> pause(std::min(0.25, patience_.value_or(1) / 4));
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_.wait_for(lock, pause, [this] { return stopped_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
  remember(nullptr, 0);  // calls with a warning have returned, because the run has ended
}

void Watchdog::look() {
  RunningCall calls[most_calls];
  const size_t n = running_calls(calls, most_calls);
  remember(calls, n);
  if (interruption) end_if_stuck(calls, n);  // first, because a warning blocks if the terminal does
  for (size_t i = 0; i < n; ++i)
    if (calls[i].of_plugin()) warn_of(calls[i]);
}

// Nested calls have numbers of their own. No second warning follows when a thread returns to the outer call.
void Watchdog::remember(const RunningCall* calls, size_t n) {
  for (auto& entry : threads_) {
    Seen& seen = entry.second;
    const auto runs = [&](const RunningCall& c) { return c.thread == entry.first && c.number == seen.number; };
    if (seen.number == 0 || std::any_of(calls, calls + n, runs)) continue;
    double& longest = longest_[seen.name];
    longest = std::max(longest, seen.seconds);
    tell_returned(seen);
    seen.number = 0;
  }
  for (size_t i = 0; i < n; ++i) {
    if (!calls[i].of_plugin()) continue;
    Seen& seen = threads_[calls[i].thread];
    seen.name = call_name(calls[i]);
    seen.number = calls[i].number;
    seen.seconds = calls[i].seconds;
  }
}

double Watchdog::limit(const std::string& name, double patience) const {
  const auto longest = longest_.find(name);
  return longest == longest_.end() ? patience : std::max(patience, longer_than_ever * longest->second);
}

void Watchdog::warn_of(const RunningCall& call) {
  Seen& seen = threads_[call.thread];
  if (seen.told == call.number || call.seconds < limit(seen.name, patience_.value_or(patience_by_default))) return;
  seen.told = call.number;
  const bool training = call.thread == training_thread_;
  console_.warn(seen.name + " has been running for " + seconds_text(call.seconds) +
                (training ? "" : ", in a thread of the host, such as a worker of a loader") +
                ": it may hang; Ctrl-C or SIGTERM ends the run");
}

void Watchdog::tell_returned(Seen& seen) {
  if (seen.told == seen.number) console_.warn(seen.name + " has returned after " + seconds_text(seen.seconds));
}

// After a signal the training thread saves and cleans up. Ends the process if that thread is stuck in a plugin, or
// waits for a thread that is.
void Watchdog::end_if_stuck(const RunningCall* calls, size_t n) {
  if (!interrupted_) interrupted_ = Clock::now();
  const double since = std::chrono::duration<double>(Clock::now() - *interrupted_).count();
  const double patience = patience_.value_or(patience_after_signal);
  if (since < patience / 4) return;
  const auto is_training = [this](const RunningCall& c) { return c.thread == training_thread_; };
  const RunningCall* training = std::find_if(calls, calls + n, is_training);
  if (training == calls + n) return;
  // The training thread waits for another thread's call, or is in a plugin call itself.
  const auto is_call = [](const RunningCall& c) { return c.of_plugin(); };
  const RunningCall* stuck = training->of_plugin() ? training : std::find_if(calls, calls + n, is_call);
  if (stuck == calls + n) return;
  const bool began_after = stuck == training && stuck->seconds < since;  // saving and notifying loggers may take long
  const double given = began_after ? patience_.value_or(patience_by_default) : patience;
  const bool at_the_end = ended_ && stuck != training && training->seconds >= std::min(patience, patience_at_the_end);
  if (at_the_end || stuck->seconds >= limit(call_name(*stuck), given)) end(interruption, *stuck);
}

void Watchdog::end(int signal, const RunningCall& call) const {
  static EmergencyOutput line;
  wait_for_saves_before_the_end();
  line.add("host: error[E7501]: interrupted by ").add(name_of_signal(signal)).add(", and ");
  add_call(line, call);
  line.add(": ends without waiting for it").add_way_on().end(ended_ && signal != SIGINT ? exit_saved : 128 + signal);
}

}  // namespace levin::core
