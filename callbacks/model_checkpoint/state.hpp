// The state of model_checkpoint in a checkpoint.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "levin/state.hpp"
#include "top_k.hpp"

namespace levin::model_checkpoint {

struct State {
  std::string monitor, dirpath, best_path, last_path;
  TopK::State top;
  // Checkpoints of older releases lack the members from here on.
  std::string newest_path, unscored_path;
  std::vector<std::string> to_remove;  // removed once the checkpoint with this state is on the disk
  bool last_due = false;               // last.ckpt is still to be saved in the same step
  bool announce_due = false;           // the file with this state is still to be announced
  bool validated = false, deferred = false;
  int64_t saved_step = 0, epoch = -1;  // epoch -1 = no batch was trained
  double seconds_since_last = 0;       // time spent in the current train_time_interval
};

void write_state(const Writer& writer, const State& state);
State read_state(const Reader& reader);

}  // namespace levin::model_checkpoint
