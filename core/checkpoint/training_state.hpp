// Puts everything that a run has to remember into a checkpoint, and takes it out again. It walks the parts of the run
// and knows nothing of them but their state.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/checkpoint/lineage.hpp"
#include "core/checkpoint/save_queue.hpp"
#include "core/components/model.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"

namespace levin::core {

struct StateParts {
  Model& model;
  DataModule* data;  // nullptr where there is none
  Dispatcher& hooks;
  LoggerList& loggers;
  LoggerConnector& log;
  OptimizerSet& optimizers;
  Precision& precision;
  RunProgress& progress;
  std::function<nlohmann::json()> provenance;  // configuration, versions and hashes of plugins
  at::Device device{at::kCPU};                 // of the run, whose generator is saved too
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  bool writes = true;                           // false: another process of the run writes the files
  bool allow_plugin_changes = false;            // go on without state that its component does not take
  bool only_finite = false;                     // refuse to save weights that are not finite
  std::function<void()> before_commit = [] {};  // makes durable what loggers wrote, on the thread that writes the file
  EpochSteps* train_outputs = nullptr;          // of the epoch so far, for the model's training_epoch_end
  // Of before a validation that runs, saved instead of those of now; empty if none runs.
  const GeneratorStates* generators_before_validation = nullptr;
};

// Gives a data module its state before it is set up. What it does not take is left out: load_model says so later.
void load_before_setup(const CheckpointReader& file, DataModule& data);

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
  // What was learned, for a fit that goes on where it is: weights, the model's own state and optimizers.
  void load_learned(const CheckpointReader& file);

 private:
  void refuse_non_finite(const std::string& path) const;
  void save_components(CheckpointWriter& out);
  void put_weights(CheckpointWriter& out, StateBag& extra) const;
  void save_gradients(CheckpointWriter& out);
  void save_component(CheckpointWriter& out, const std::string& prefix, Component& component);
  void save_loggers(CheckpointWriter& out);
  void collect(CheckpointWriter& out, const std::string& path, bool weights_only);
  void write(const SavedFile& what, uint32_t flags);
  bool is_last_save(uint32_t flags) const;
  bool copied(CheckpointWriter& out);
  void tell_saved();
  void tell_loggers(const SavedFile& file);
  static void put_component(CheckpointWriter& out, const std::string& prefix, const Component& component,
                            const StateBag& state);
  bool takes_state(const CheckpointReader& file, const std::string& prefix, const Component& component) const;
  void load_component(const CheckpointReader& file, const std::string& prefix, Component& component);
  void save_train_outputs(CheckpointWriter& out) const;
  void load_train_outputs(const CheckpointReader& file);
  nlohmann::json loops_state();
  void load_loops_state(const nlohmann::json& loops, std::vector<StateBag> metric_states);
  void save_generators(CheckpointWriter& out) const;
  void save_optimizers(CheckpointWriter& out);
  void load_optimizers(const CheckpointReader& file);
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
