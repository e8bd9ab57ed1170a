// Handles SIGINT and SIGTERM. The first one ends the run after the current batch, and a second one ends the process at
// once. The handler prints on stderr what happens.
#pragma once

namespace levin::core {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void check() const;  // throws Interrupt if a signal has come
};

}  // namespace levin::core
