// Checkpoints, as described to callbacks and loggers.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

struct SavedCheckpoint {
  std::string path;                                         // absolute
  bool best = false, last = false;                          // announced as best, as last
  double score = std::numeric_limits<double>::quiet_NaN();  // as announced; NaN = none
};
// A checkpoint that is being or was saved, with the values at the time of saving.
struct Saved {
  std::string path;                                         // absolute in loggers
  bool best = false, last = false;                          // among the run's checkpoints
  std::string monitor = {};                                 // name of the monitored metric; "" = none
  double score = std::numeric_limits<double>::quiet_NaN();  // value of the monitor; NaN = none
  int64_t epoch = 0, global_step = 0;                       // set by the host; values set by a saver are ignored
};

}  // namespace levin
#pragma GCC visibility pop
