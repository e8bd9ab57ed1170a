// Checkpoints, as callbacks and loggers know them.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#pragma GCC visibility push(hidden)
namespace levin {

struct SavedCheckpoint {
  std::string path;                                         // absolute
  bool best = false, last = false;                          // whether it is announced as such
  double score = std::numeric_limits<double>::quiet_NaN();  // as it was announced; NaN: none
};
// A checkpoint that is being saved, or was saved: what its saver knows of it at that moment.
struct Saved {
  std::string path;                                         // loggers get it absolute
  bool best = false, last = false;                          // of the run's checkpoints
  std::string monitor = {};                                 // the metric that is watched; "": none
  double score = std::numeric_limits<double>::quiet_NaN();  // of the monitor; NaN: none
  int64_t epoch = 0, global_step = 0;                       // the host's, whatever a saver says
};

}  // namespace levin
#pragma GCC visibility pop
