// SIGINT and SIGTERM: the first ends the run after the batch in hand, a second one ends the process at once. Each says
// so on stderr when it comes.
#pragma once

namespace levin::core {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void check() const;  // throws Interrupt
};

}  // namespace levin::core
