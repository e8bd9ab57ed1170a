// Resumes a fit from a Lightning checkpoint.
#pragma once
#include <string>
#include <vector>

#include "core/base/console/console.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/weight_options.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/weights/lightning/lightning_checkpoint.hpp"

namespace levin::core {

// All methods throw Error{checkpoint} with the place in the file if something does not fit.
class LightningFile {
 public:
  // weights: model.init_match and model.init_map.
  LightningFile(const std::string& path, InitWeights weights);

  // Call it before the optimizers are created.
  void load_weights(Model& model, Console& console) const;
  // Returns a line for each difference from the file: options of schedules, which keep their current values.
  std::vector<std::string> changes(OptimizerSet& optimizers) const;
  // Loads optimizers, schedules, the loss scale, and the state of the loops. Returns where the fit goes on.
  FoundPosition load_training(const Model& model, OptimizerSet& optimizers, Precision& precision, FitLoop& fit) const;
  // Returns a text about the parts of the file that are not used.
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
