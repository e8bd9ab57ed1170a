// The outputs of an epoch's steps, stored for training_epoch_end, validation_epoch_end and test_epoch_end. Nothing is
// stored if the model does not have that function.
#pragma once
#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

class EpochOutputs {
 public:
  EpochOutputs() = default;
  explicit EpochOutputs(EpochSteps* steps) : steps_(steps ? *steps : own_) {}  // nullptr = own storage
  EpochOutputs(const EpochOutputs&) = delete;
  EpochOutputs& operator=(const EpochOutputs&) = delete;
  // stage: LEVIN_STAGE_FIT for training, else the stage of the evaluation.
  void begin(const Model& model, uint32_t stage);
  void go_on(const Model& model, uint32_t stage);    // begins within an epoch and keeps the outputs stored so far
  void add(const StepOutputs& step);                 // stores detached tensors; ignores a step that returned nothing
  void deliver(const Model& model, levin_run* run);  // calls the model's *_epoch_end, then drops the outputs

 private:
  bool kept_ = false;
  uint32_t stage_ = 0;
  EpochSteps own_;
  EpochSteps& steps_ = own_;
};

}  // namespace levin::core
