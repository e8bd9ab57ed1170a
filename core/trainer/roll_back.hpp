// trainer.non_finite=roll_back: restores weights and optimizers from the last good checkpoint; the data continues.
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
  // Loads the run's newest checkpoint that is intact and finite, and returns a line that says so. Throws
  // Error{non_finite} if there is none, or if it was already loaded several times. why: description of the non-finite
  // step.
  std::string operator()(const std::string& why);

 private:
  std::optional<CheckpointReader> newest_good() const;  // the returned checkpoint is loaded
  std::string agreed_good() const;

  RollBackParts parts_;
  std::string last_;  // the file that was loaded last
  int times_ = 0;     // in a row
};

}  // namespace levin::core
