// The position of a fit in a checkpoint: loops, metrics so far, optimizers, schedules, precision and generators.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

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

// The rows of an epoch that one batch of all processes consumes, before and after a resume with another world size.
struct StepRows {
  int64_t before, now;
};

// Returns the two row counts as a reduced ratio. configs: as in a checkpoint's manifest. Where one does not give the
// batch size, each process counts one row a batch.
StepRows step_rows(const nlohmann::json& config_before, int64_t processes_before, const nlohmann::json& config,
                   int64_t processes);

// What each process of a run has of its own, in the file that rank 0 writes: random generators, metrics so far, the
// position in its data, gradients not yet reduced, and its part of sharded optimizers. Stored as "ranks.R.KEY"; rank
// 0's own is stored as KEY.
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
