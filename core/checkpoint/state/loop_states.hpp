// The position of a fit in a checkpoint: loops, metrics so far, optimizers, schedules, precision and generators.
#pragma once
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

nlohmann::json loops_state(const StateParts& parts);
// Throws Error{checkpoint} for a file that a fit cannot resume from.
void load_loops(const StateParts& parts, const CheckpointReader& file);

void save_optimizers(const StateParts& parts, CheckpointWriter& out);
void load_optimizers(const StateParts& parts, const CheckpointReader& file);

// Saves what each process has of its own: states of the epoch's metrics so far, and generators.
void save_rank(const StateParts& parts, CheckpointWriter& out);
// Saves the epoch's metrics so far, schedules, precision and generators. A weights-only file has none of them.
void save_fit(const StateParts& parts, CheckpointWriter& out);
void load_fit(const StateParts& parts, const CheckpointReader& file);

}  // namespace levin::core
