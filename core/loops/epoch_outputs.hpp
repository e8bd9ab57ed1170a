// What the steps of an epoch returned, kept for training_epoch_end and its like; nothing is kept where there is none.
#pragma once
#include <vector>

#include "core/components/model.hpp"

namespace levin::core {

class EpochOutputs {
 public:
  // stage: LEVIN_STAGE_FIT for training, else that of the evaluation.
  void begin(const Model& model, uint32_t stage);
  void add(const StepOutputs& step);                 // detached; a step that returned nothing is left out
  void deliver(const Model& model, levin_run* run);  // calls epoch_end and forgets

 private:
  bool kept_ = false;
  uint32_t stage_ = 0;
  std::vector<std::vector<NamedTensor>> steps_;
};

}  // namespace levin::core
