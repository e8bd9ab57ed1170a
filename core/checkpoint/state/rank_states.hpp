// What each process of a run has for itself, in the one file that the first process writes: its random numbers, its
// metrics so far, the place of its data, gradients that are not yet reduced, and its part of optimizers that are
// sharded. It is kept as "ranks.R.KEY" beside what the first process has as KEY.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

struct RankState {
  nlohmann::json manifest;
  std::vector<NamedTensor> tensors;
};

// Those of the other processes, in their order, in the first one; nothing in the others. Collective. Empty in a run of
// one process, and when another is lost: then the first process saves what it has. Tensors travel one by one, so that
// no process but the first one holds more than its own.
std::vector<RankState> gather_rank_states(const StateParts& parts);
// Puts them into the file, and the parts of sharded optimizers together.
void put_rank_states(CheckpointWriter& out, const std::vector<RankState>& states);

}  // namespace levin::core
