// A fit that goes on from a checkpoint of Lightning.
#pragma once
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/weight_options.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/progress/run_progress.hpp"
#include "core/weights/lightning/lightning_checkpoint.hpp"

namespace levin::core {

// What does not fit is refused with its place in the file: all of these throw Error{checkpoint}.
class LightningFile {
 public:
  // weights: model.init_match and model.init_map.
  LightningFile(const std::string& path, InitWeights weights);

  // Before the optimizers are made.
  void load_weights(Model& model, Console& console) const;
  // What is otherwise here than it was, a line each: options of schedules, which stay as they are here.
  std::vector<std::string> changes(OptimizerSet& optimizers) const;
  // Optimizers, schedules, the scale of the loss, and the place of the loops.
  void load_training(const Model& model, OptimizerSet& optimizers, Precision& precision, RunProgress& progress) const;
  // What of the file is not taken, for people.
  std::string remainder() const;

 private:
  template <class F>
  void within(const std::string& place, F&& body) const;
  void load_optimizers(const Model& model, OptimizerSet& optimizers) const;
  void load_schedules(OptimizerSet& optimizers) const;
  void load_precision(Precision& precision) const;
  nlohmann::json loops() const;

  LightningCheckpoint file_;
  InitWeights weights_;
};

}  // namespace levin::core
