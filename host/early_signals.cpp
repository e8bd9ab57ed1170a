#include "host/early_signals.hpp"

#include "core/base/last_line.hpp"
#include "core/base/stop_signals.hpp"

namespace levin::core {
namespace {

extern "C" void end_before_run(int signal) {
  LastLine line;
  line.add("host: warning: ")
      .add(signal == SIGINT ? "interrupted" : name_of_signal(signal))
      .add(": ends before the run has begun")
      .end(code_of_stop(signal));
}

}  // namespace

void end_on_stop_signals() {
  for (const int signal : stop_signals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = &end_before_run;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace levin::core
