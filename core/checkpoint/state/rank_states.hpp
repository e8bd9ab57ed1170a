// What each process of a run has for itself, in the one file that the first process writes: its random numbers, its
// metrics so far, the place of its data, gradients that are not yet reduced, and its part of optimizers that are
// sharded. It is kept as "ranks.R.KEY" beside what the first process has as KEY.
#pragma once
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

// Of all processes, in their order. Collective. Empty in a run of one process, and when another is lost: then the first
// process saves what it has.
std::vector<std::string> gather_rank_states(const StateParts& parts);
// Puts those of the other processes into the file, and the parts of sharded optimizers together.
void put_rank_states(CheckpointWriter& out, const std::vector<std::string>& states);

}  // namespace levin::core
