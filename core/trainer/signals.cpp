#include "core/trainer/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "core/loops/progress.hpp"

namespace levin::core {
namespace {

volatile std::sig_atomic_t pending = 0;

extern "C" void on_signal(int signal) {
  if (pending) _exit(128 + signal);
  pending = signal;
}

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Signals::Signals() {
  pending = 0;
  install(&on_signal);
}
Signals::~Signals() { install(SIG_DFL); }

void Signals::check() const {
  if (pending) throw Interrupt{pending};
}

}  // namespace levin::core
