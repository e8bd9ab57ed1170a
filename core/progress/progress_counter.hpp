// How often something happened, by how far it came.
#pragma once
#include <cstdint>

namespace levin::core {

// Counts how many were about to begin, had begun, were done, and were done including their end hooks.
struct Counter {
  int64_t ready = 0, started = 0, processed = 0, completed = 0;
};

// One kind of event: since the fit began, and in the present epoch.
struct Progress {
  Counter total, current;
  void raise(int64_t Counter::*field) { ++(total.*field), ++(current.*field); }
};

struct OptimProgress {
  Progress step, zero_grad;  // of all optimizers
};

}  // namespace levin::core
