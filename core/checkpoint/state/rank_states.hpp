// What each process of a run has of its own, in the file that rank 0 writes: random generators, metrics so far, the
// position in its data, gradients not yet reduced, and its part of sharded optimizers. Stored as "ranks.R.KEY"; rank
// 0's own is stored as KEY.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/saved_run.hpp"

namespace levin::core {

struct RankState {
  nlohmann::json manifest;
  std::vector<NamedTensor> tensors;
};

// Returns the states of the other processes, by rank, in rank 0, and nothing in the others. Collective. Empty in a run
// of one process, and if another process is lost: then rank 0 saves its own state. Tensors are sent one by one, so that
// no process but rank 0 holds more than its own.
std::vector<RankState> gather_rank_states(const SavedRun& run);
// Adds the states to the file, and merges the parts of sharded optimizers.
void put_rank_states(CheckpointWriter& out, const std::vector<RankState>& states);

}  // namespace levin::core
