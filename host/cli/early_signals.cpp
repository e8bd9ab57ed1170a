#include "host/cli/early_signals.hpp"

#include "core/base/emergency_output.hpp"
#include "core/base/stop_signals.hpp"

namespace levin::core {
namespace {

extern "C" void on_early_signal(int signal) { end_before_run(signal); }

}  // namespace

void end_on_stop_signals() {
  for (const int signal : stop_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = &on_early_signal;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace levin::core
