// Shared by the scripted plugins: a trace of calls, and a fault or return value at one of them.
#pragma once
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "levin/options.hpp"

namespace scripted {

inline constexpr const char* const deeds[] = {
    "nothing", "throw",    "throw_int", "throw_escape", "throw_in_thread", "exit",      "exit_at_once",
    "abort",   "segfault", "stop",      "skip",         "skip_epoch",      "interrupt", "interrupt_twice",
    "hang_up", "save",     "backward",  "free_graph",   "hang_terminated", "rest",      "terminate",
    "usr1",    "xcpu",     "nan",       nullptr};
inline constexpr levin_option do_option = levin::choice("do", "\"nothing\"", "what happens there", deeds);
inline constexpr levin_option at_option = levin::text("at", "\"\"", "the hook in which it happens");
inline constexpr levin_option batch_option = levin::integer("batch", "-1", "only in this batch; -1: in any");
inline constexpr levin_option epoch_option = levin::integer("epoch", "-1", "only in this epoch; -1: in any");

// Appends to the file LEVIN_TEST_TRACE. Without the variable nothing is recorded.
inline void record(const std::string& line) {
  static const char* const file = std::getenv("LEVIN_TEST_TRACE");
  if (file) std::ofstream(file, std::ios::app) << line << '\n';
}

class Script {
 public:
  explicit Script(const levin::Args& o)
      : deed_(o.text("do")), at_(o.text("at")), batch_(o.integer("batch")), epoch_(o.integer("epoch")) {}

  bool is(const std::string& deed) const { return deed_ == deed; }
  bool now(const std::string& hook, int64_t batch, int64_t epoch) const {
    return hook == at_ && (batch_ < 0 || batch == batch_) && (epoch_ < 0 || epoch == epoch_);
  }
  // Performs the action, or returns its status.
  levin_status perform() const {
    if (deed_ == "throw") throw std::runtime_error("scripted failure");
    if (deed_ == "throw_int") throw 42;
    if (deed_ == "throw_escape") throw std::runtime_error("scripted \x1b[31mfailure\x07");
    if (deed_ == "throw_in_thread") std::thread([] { throw std::runtime_error("scripted failure"); }).join();
    if (deed_ == "exit") std::exit(0);
    if (deed_ == "exit_at_once") _exit(0);
    if (deed_ == "abort") std::abort();
    if (deed_ == "segfault") *address_ = 1;
    if (deed_ == "interrupt") std::raise(SIGINT);
    if (deed_ == "interrupt_twice") std::raise(SIGINT), std::raise(SIGINT);
    if (deed_ == "hang_up") std::raise(SIGPIPE), std::raise(SIGHUP);
    if (deed_ == "terminate") std::raise(SIGTERM);
    if (deed_ == "usr1") std::raise(SIGUSR1);
    if (deed_ == "xcpu") std::raise(SIGXCPU);
    if (deed_ == "hang_terminated") hang_until_killed();
    if (deed_ == "rest") std::this_thread::sleep_for(std::chrono::milliseconds(700));
    if (deed_ == "stop") return LEVIN_STOP;
    if (deed_ == "skip") return LEVIN_SKIP;
    return deed_ == "skip_epoch" ? LEVIN_SKIP_EPOCH : LEVIN_OK;
  }
  levin_status at(const std::string& hook, int64_t batch, int64_t epoch) const {
    return now(hook, batch, epoch) ? perform() : LEVIN_OK;
  }

  // SIGTERM is sent by another thread half a second later.
  [[noreturn]] static void hang_until_killed() {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      kill(getpid(), SIGTERM);
    }).detach();
    for (;;) pause();
  }

 private:
  std::string deed_, at_;
  int64_t batch_, epoch_;
  volatile int* volatile address_ = nullptr;
};

}  // namespace scripted
