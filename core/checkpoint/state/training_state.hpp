// Puts everything that a run has to remember into a checkpoint, and takes it out again. It walks the parts of the run
// and knows nothing of them but their state.
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
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

struct RankState;

class TrainingState {
 public:
  explicit TrainingState(StateParts parts) : parts_(std::move(parts)) {}

  // Call it before the first save of a fit.
  void set_lineage(Lineage lineage) { lineage_ = std::move(lineage); }
  // flags: LEVIN_SAVE_*. Durable when it returns, but for LEVIN_SAVE_ASYNC. Waits for the file before. Throws
  // Error{usage} while another save is being told of, and Error{non_finite} for weights that nobody could go on with.
  void save(const std::string& path, uint32_t flags = 0, const SavedFacts& facts = {});
  // Tells loggers and hooks of the files that are on the disk since, and throws the failure of one that is not.
  void deliver();
  void finish();  // waits for every file, and delivers
  void wait();    // waits for every file, and throws the failure of one, as deliver() will, too
  // Does it after what was left to do by saves, and not if that fails.
  void in_order(SaveQueue::Job job) { files_.in_order(std::move(job)); }
  // Hooks on_load_checkpoint, weights, data module, callbacks: before a fit, or for validate, test and predict.
  void load_model(const CheckpointReader& file, bool callbacks);
  void load_position(const CheckpointReader& file);  // loads the state of the loops alone
  // Loggers: before they begin, in a run that goes on.
  void load_loggers(const CheckpointReader& file);
  // Loops, optimizers, schedules, precision, generators: after on_fit_start.
  void load_training(const CheckpointReader& file);
  // Of a window of accumulation that was open; after the gradients were set to zero.
  void load_gradients(const CheckpointReader& file);
  void load_weights(const CheckpointReader& file);
  // What was learned, for a fit that goes on where it is: weights, the model's own state and optimizers, whose rates
  // stay as schedules have set them. The caller calls tell_loaded() next.
  void load_learned(const CheckpointReader& file);
  void tell_loaded(const CheckpointReader& file);  // on_load_checkpoint of the model and the callbacks

 private:
  void refuse_non_finite(const std::string& path) const;
  void collect(CheckpointWriter& out, const std::string& path, bool weights_only);
  void write(const SavedFile& what, uint32_t flags, const std::vector<RankState>& ranks);
  bool is_last_save(uint32_t flags) const;
  bool copied(CheckpointWriter& out);
  void tell_saved();
  void tell_loggers(const SavedFile& file);
  struct LastSave {    // of the run, also of a session before
    std::string path;  // "": none yet
    bool weights_only = false;
    nlohmann::json counters;
  };
  StateParts parts_;
  Lineage lineage_;
  LastSave last_save_;
  SnapshotMemory memory_;  // of the file that is being written
  SaveQueue files_;
  bool saving_ = false;
};

}  // namespace levin::core
