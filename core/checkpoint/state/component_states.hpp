// The states of plugins' components in a checkpoint, and who wrote them.
#pragma once
#include <string>

#include "core/abi/state_bag.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/state_parts.hpp"

namespace levin::core {

// prefix: "model", "data", "callbacks.NAME", "loggers.NAME". Nothing is put for a component without state.
void save_component(CheckpointWriter& out, const std::string& prefix, Component& component);
// Loads it if the file has such a state. Warns where that is of a newer version, or of another component. Throws
// Error{checkpoint} if it is too old, unless plugins may have changed.
void load_component(const StateParts& parts, const CheckpointReader& file, const std::string& prefix,
                    Component& component);

void save_callbacks(const StateParts& parts, CheckpointWriter& out);
void load_callbacks(const StateParts& parts, const CheckpointReader& file);
void save_loggers(const StateParts& parts, CheckpointWriter& out);
void load_loggers(const StateParts& parts, const CheckpointReader& file);

// Gives a data module its state before it is set up. What it does not take is left out: load_component() says so later.
void load_before_setup(const CheckpointReader& file, DataModule& data);

}  // namespace levin::core
