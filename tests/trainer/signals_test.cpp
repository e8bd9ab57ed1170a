#include "core/trainer/signals.hpp"

#include "catch.hpp"
#include "core/progress/stop_request.hpp"

using namespace levin::core;

namespace {

// Returns the signal that ends the run, or 0.
int stopped_by(const Signals& signals) try {
  signals.check();
  return 0;
} catch (const Interrupt& interrupt) {
  return interrupt.signal;
}

}  // namespace

TEST_CASE("signals that a cluster sends stop a run, and change nothing when they come again") {
  for (const int signal : {SIGTERM, SIGUSR1, SIGHUP, SIGXCPU}) {
    Signals signals;
    signals.run_begins();
    INFO(name_of_signal(signal));
    CHECK(stopped_by(signals) == 0);
    for (int i = 0; i < 3; ++i) std::raise(signal);
    std::raise(SIGTERM);
    CHECK(stopped_by(signals) == signal);
    std::raise(SIGINT);  // the first Ctrl-C
    CHECK(stopped_by(signals) == signal);
  }
}

TEST_CASE("a signal of a cluster does not end a run that is over") {
  Signals signals;
  signals.run_has_ended(/*others_work=*/false);
  std::raise(SIGTERM);
  CHECK(stopped_by(signals) == SIGTERM);
}

TEST_CASE("a signal that the process ignored before stays ignored") {
  for (const int signal : {SIGHUP, SIGINT}) {
    const auto before = std::signal(signal, SIG_IGN);
    {
      Signals signals;
      signals.run_begins();
      std::raise(signal);
      std::raise(signal);
      CHECK(stopped_by(signals) == 0);
    }
    CHECK(std::signal(signal, before) == SIG_IGN);
  }
}

TEST_CASE("signals after a run end no process that handles them to its end") {
  for (const bool others_work : {false, true}) {
    const Signals process;
    {
      Signals run;
      run.run_begins();
      run.run_has_ended(others_work);
    }
    for (const int signal : {SIGTERM, SIGUSR1, SIGHUP, SIGXCPU, SIGPIPE}) CHECK(std::raise(signal) == 0);
  }
}

TEST_CASE("handlers of before are back after a run") {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGUSR1, SIG_DFL);
  { const Signals signals; }
  CHECK(std::signal(SIGUSR1, before) == SIG_DFL);
}
