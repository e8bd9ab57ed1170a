// The rule for when a logger writes its buffered rows.
#pragma once
#include <cstdint>

namespace levin::csv {

// Returns true if rows are to be written after this step, counted from 0. every_n_steps 0 = never.
inline bool flush_due(int64_t step, int64_t every_n_steps) {
  return every_n_steps > 0 && (step + 1) % every_n_steps == 0;
}

}  // namespace levin::csv
