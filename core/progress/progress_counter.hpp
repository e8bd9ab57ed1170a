// Counters of batches, epochs and optimizer steps, like Lightning's progress trackers.
#pragma once
#include <cstdint>

namespace levin::core {

// The number of events that were about to begin (ready), have begun (started), are done (processed), and are done
// including their end hooks (completed).
struct Counter {
  int64_t ready = 0, started = 0, processed = 0, completed = 0;
};

// The counters of one kind of event: since the fit began (total), and in the current epoch (current).
struct Progress {
  Counter total, current;
  void raise(int64_t Counter::*field) { ++(total.*field), ++(current.*field); }
};

struct OptimProgress {
  Progress step, zero_grad;  // over all optimizers
};

}  // namespace levin::core
