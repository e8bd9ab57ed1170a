// When a logger that collects rows writes them.
#pragma once
#include <cstdint>

namespace levin::csv {

// Whether to write after the row of this step, counted from 0. With every_n_steps = 0 this is never so.
inline bool flush_due(int64_t step, int64_t every_n_steps) {
  return every_n_steps > 0 && (step + 1) % every_n_steps == 0;
}

}  // namespace levin::csv
