// trainer.non_finite=roll_back: weights and optimizers go back to the last good checkpoint; the data goes on.
#pragma once
#include <optional>
#include <string>

#include "core/checkpoint/state/training_state.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/trainer/assembly/run_output.hpp"

namespace levin::core {

struct RollBackParts {
  const RunOutput& output;
  Processes& processes;
  const Model& model;
  OptimizerSet& optimizers;
  TrainingState& state;
};

class RollBack {
 public:
  explicit RollBack(const RollBackParts& parts) : parts_(parts) {}
  // Loads the newest checkpoint of the run that is whole and finite, and returns the line that says so. Throws
  // Error{non_finite} if there is none, or if it was loaded several times already. `why`: what happened.
  std::string operator()(const std::string& why);

 private:
  std::optional<CheckpointReader> newest_good() const;  // has been loaded
  std::string agreed_good() const;

  RollBackParts parts_;
  std::string last_;  // the file that was loaded last
  int times_ = 0;     // in a row
};

}  // namespace levin::core
