// What a model and its training steps hold in tensors, in a checkpoint: weights, gradients, outputs of steps.
#pragma once
#include "core/abi/state_bag.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/components/model.hpp"
#include "core/components/step_outputs.hpp"

namespace levin::core {

// What on_save_checkpoint put into `extra` as "state_dict.NAME" stands for the model's own tensor, and leaves `extra`.
void put_weights(CheckpointWriter& out, const Model& model, StateBag& extra);
// All of them. Throws Error{checkpoint} where names or shapes are not the model's.
void load_weights(const CheckpointReader& file, const Model& model);

// Of a window of accumulation that is open.
void put_gradients(CheckpointWriter& out, const Model& model);
void load_gradients(const CheckpointReader& file, const Model& model);

// The outputs of the epoch's training steps so far.
void put_train_outputs(CheckpointWriter& out, const EpochSteps& steps);
EpochSteps load_train_outputs(const CheckpointReader& file, at::Device device);

}  // namespace levin::core
