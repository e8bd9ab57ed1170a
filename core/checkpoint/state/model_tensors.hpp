// The tensors of a model and its training steps in a checkpoint: weights, gradients, outputs of steps.
#pragma once
#include "core/abi/state_bag.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/components/model.hpp"
#include "core/components/step_outputs.hpp"

namespace levin::core {

// An entry "state_dict.NAME" that on_save_checkpoint put into `extra` replaces the model's own tensor, and is removed
// from `extra`.
void put_weights(CheckpointWriter& out, const Model& model, StateBag& extra);
// Loads all weights. Throws Error{checkpoint} if names or shapes differ from the model's.
void load_weights(const CheckpointReader& file, const Model& model);

// The gradients of an accumulation window that is not complete.
void put_gradients(CheckpointWriter& out, const Model& model);
void load_gradients(const CheckpointReader& file, const Model& model);

// The outputs of the epoch's training steps so far.
void put_train_outputs(CheckpointWriter& out, const EpochSteps& steps);
EpochSteps load_train_outputs(const CheckpointReader& file, at::Device device);

}  // namespace levin::core
