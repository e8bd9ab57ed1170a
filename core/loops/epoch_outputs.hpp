// The outputs of an epoch's steps, stored for training_epoch_end, validation_epoch_end and test_epoch_end. Nothing is
// stored if the model does not have that function.
#pragma once
#include <utility>
#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

class EpochOutputs {
 public:
  // stage: LEVIN_STAGE_FIT for training, else the stage of the evaluation.
  void begin(const Model& model, uint32_t stage);
  void go_on(const Model& model, uint32_t stage);    // begins within an epoch and keeps the outputs stored so far
  void add(const StepOutputs& step);                 // stores detached tensors; ignores a step that returned nothing
  void deliver(const Model& model, levin_run* run);  // calls the model's *_epoch_end, then drops the outputs
  const EpochSteps& steps() const { return steps_; }
  void restore(EpochSteps steps) { steps_ = std::move(steps); }  // of a resumed epoch

 private:
  bool kept_ = false;
  uint32_t stage_ = 0;
  EpochSteps steps_;
};

}  // namespace levin::core
