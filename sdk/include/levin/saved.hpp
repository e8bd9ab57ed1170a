// A checkpoint, as described by its saver, to loggers, and in a run's list of checkpoints.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "levin/abi.h"

#pragma GCC visibility push(hidden)
namespace levin {

struct Saved {
  std::string path;                                         // absolute in loggers and lists
  bool best = false, last = false;                          // among the run's checkpoints; in lists: as announced
  std::string monitor = {};                                 // name of the monitored metric; "" = none
  double score = std::numeric_limits<double>::quiet_NaN();  // value of the monitor; NaN = none
  int64_t epoch = 0, global_step = 0;                       // set by the host, for loggers
  bool larger_is_better = false;                            // of the score
};

namespace detail {

// Borrows the texts.
inline levin_saved as_c(const Saved& from) {
  const uint32_t flags = (from.best ? LEVIN_SAVED_BEST : 0u) | (from.last ? LEVIN_SAVED_LAST : 0u) |
                         (from.larger_is_better ? LEVIN_SAVED_LARGER : 0u);
  return {sizeof(levin_saved), flags,      from.path.c_str(), from.monitor.empty() ? nullptr : from.monitor.c_str(),
          from.score,          from.epoch, from.global_step};
}
inline Saved saved_of(const levin_saved& from) {
  return {from.path ? from.path : "",
          (from.flags & LEVIN_SAVED_BEST) != 0,
          (from.flags & LEVIN_SAVED_LAST) != 0,
          from.monitor ? from.monitor : "",
          from.score,
          from.epoch,
          from.global_step,
          (from.flags & LEVIN_SAVED_LARGER) != 0};
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
