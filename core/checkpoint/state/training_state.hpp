// Saves the state of all parts of a run into a checkpoint, and loads it again.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/lineage.hpp"
#include "core/checkpoint/save_queue.hpp"
#include "core/checkpoint/snapshot_memory.hpp"
#include "core/checkpoint/state/component_states.hpp"
#include "core/checkpoint/state/saved_run.hpp"

namespace levin::core {

struct RankState;

class TrainingState {
 public:
  explicit TrainingState(SavedRun run) : run_(std::move(run)) {}

  // Call before the first save of a fit.
  void set_lineage(Lineage lineage) { lineage_ = std::move(lineage); }
  // flags: LEVIN_SAVE_*. The file is durable on return, except with LEVIN_SAVE_ASYNC. Waits until the previous file is
  // written. Throws Error{usage} if called within another save, as in on_save_checkpoint or on_checkpoint_durable, and
  // Error{non_finite} for weights that are not finite.
  void save(const std::string& path, uint32_t flags = 0, const SavedFacts& facts = {});
  // Notifies loggers and hooks of the files written since the last call, and throws the failure of one that could not
  // be written.
  void deliver();
  void finish();  // waits for all files, then delivers
  void wait();    // waits for all files and throws a failure, which deliver() throws again
  // Runs the job after the pending jobs of saves; skips it if one of them fails.
  void in_order(SaveQueue::Job job) { files_.in_order(std::move(job)); }
  // Loads on_load_checkpoint, weights, data module and callbacks: before a fit, or for validate, test and predict.
  void load_model(const CheckpointReader& file, bool callbacks);
  // Loads the state of the loops, and returns where the fit goes on. Call it once.
  FoundPosition load_position(const CheckpointReader& file);
  // Loads the loggers' state, before they begin in a resumed run.
  void load_loggers(const CheckpointReader& file);
  // Loads optimizers, schedules, precision and generators, after on_fit_start. found: from load_position().
  void load_training(const CheckpointReader& file, const FoundPosition& found);
  // Loads the gradients of an incomplete accumulation window; call it after the gradients were set to zero.
  void load_gradients(const CheckpointReader& file);
  void load_weights(const CheckpointReader& file);
  // Loads what was learned into a running fit: weights, the model's own state and optimizers; learning rates stay as
  // the schedules have set them. Call tell_loaded() next.
  void load_learned(const CheckpointReader& file);
  void tell_loaded(const CheckpointReader& file);  // calls on_load_checkpoint of the model and the callbacks

 private:
  void refuse_non_finite(const std::string& path) const;
  void collect(CheckpointWriter& out, const std::string& path, bool weights_only);
  void write(const SavedFile& what, uint32_t flags, const std::vector<RankState>& ranks);
  bool is_last_save(uint32_t flags);
  bool copied(CheckpointWriter& out);
  void tell_saved();
  void tell_loggers(const SavedFile& file);
  struct LastSave {    // of the run, including earlier sessions
    std::string path;  // "" = none yet
    bool weights_only = false;
    nlohmann::json counters;
  };
  nlohmann::json counters();  // of the loops, without the clock
  SavedRun run_;
  Lineage lineage_;
  LastSave last_save_;
  SnapshotMemory memory_;  // for the file that is being written
  SaveQueue files_;
  bool saving_ = false;
};

}  // namespace levin::core
