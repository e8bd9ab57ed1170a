// The position of a fit in a checkpoint: loops, metrics so far, optimizers, schedules, precision and generators.
#pragma once
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/saved_run.hpp"

namespace levin::core {

nlohmann::json loops_state(const SavedRun& run);
// Throws Error{checkpoint} for a file that a fit cannot resume from.
FoundPosition load_loops(const SavedRun& run, const CheckpointReader& file);

void save_optimizers(const SavedRun& run, CheckpointWriter& out);
void load_optimizers(const SavedRun& run, const CheckpointReader& file);

// Saves what each process has of its own: states of the epoch's metrics so far, and generators.
void save_rank(const SavedRun& run, CheckpointWriter& out);
// Saves the epoch's metrics so far, schedules, precision and generators. A weights-only file has none of them.
void save_fit(const SavedRun& run, CheckpointWriter& out);
void load_fit(const SavedRun& run, const CheckpointReader& file);

}  // namespace levin::core
