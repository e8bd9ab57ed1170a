// Everything a run has to remember, into a checkpoint and back. It walks parts and knows none of them better than
// their state.
#pragma once
#include <functional>

#include "core/checkpoint/checkpoint_file.hpp"
#include "core/components/model.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_list.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"

namespace levin::core {

struct StateParts {
  Model& model;
  DataModule* data;
  Dispatcher& hooks;
  LoggerList& loggers;
  OptimizerSet& optimizers;
  Precision& precision;
  std::function<nlohmann::json()> loops;  // state of the loops
  std::function<void(const nlohmann::json&, std::vector<StateBag> metric_states)> set_loops;
  std::function<std::vector<StateBag>()> metric_states;  // of the loops' "epoch_metrics"
  std::function<bool()> window_open;                     // gradients are being accumulated
  std::function<nlohmann::json()> provenance;            // configuration, versions and hashes of plugins
  at::Device device{at::kCPU};                           // of the run, whose generator is saved too
};

class TrainingState {
 public:
  explicit TrainingState(StateParts parts) : p_(std::move(parts)) {}

  // Durable when it returns. Throws Error{usage} while another save is being told of.
  void save(const std::string& path, bool weights_only);
  // Hooks on_load_checkpoint, weights, data module, callbacks: before a fit, or for validate, test and predict.
  void load_model(const CheckpointReader& file, bool callbacks);
  void load_position(const CheckpointReader& file);  // of the loops alone
  // Loops, optimizers, schedules, precision, loggers, generators: after on_fit_start.
  void load_training(const CheckpointReader& file);
  // Of a window of accumulation that was open; after the gradients were set to zero.
  void load_gradients(const CheckpointReader& file);
  void load_weights(const CheckpointReader& file);

 private:
  void save_components(CheckpointWriter& out);
  void put_weights(CheckpointWriter& out, StateBag& extra) const;
  void save_gradients(CheckpointWriter& out);
  void save_component(CheckpointWriter& out, const std::string& prefix, Component& component);
  void load_component(const CheckpointReader& file, const std::string& prefix, Component& component);
  StateParts p_;
  bool saving_ = false;
};

}  // namespace levin::core
