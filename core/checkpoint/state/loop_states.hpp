// Where a fit is, in a checkpoint: loops, metrics so far, optimizers, schedules, precision and generators.
#pragma once
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

nlohmann::json loops_state(const StateParts& parts);
// Throws Error{checkpoint} for a file that a fit cannot go on from.
void load_loops(const StateParts& parts, const CheckpointReader& file);

void save_optimizers(const StateParts& parts, CheckpointWriter& out);
void load_optimizers(const StateParts& parts, const CheckpointReader& file);

// What each process of a run has for itself: metrics of the epoch so far, and generators.
void save_rank(const StateParts& parts, CheckpointWriter& out);
// Metrics of the epoch so far, schedules, precision and generators; the files of weights alone have none.
void save_fit(const StateParts& parts, CheckpointWriter& out);
void load_fit(const StateParts& parts, const CheckpointReader& file);

}  // namespace levin::core
