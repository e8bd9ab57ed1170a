// The states of plugin components in a checkpoint, and the component and version that wrote each.
#pragma once
#include <string>

#include "core/abi/state_bag.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/checkpoint/state/saved_run.hpp"

namespace levin::core {

// prefix: "model", "data", "callbacks.NAME", "loggers.NAME". Writes nothing for a component without state.
void save_component(CheckpointWriter& out, const std::string& prefix, Component& component);
// Loads the component's state if the file has one. Warns and skips a state of another component; warns of a state of a
// newer version. Throws Error{checkpoint} if the state is too old, unless plugin changes are allowed.
void load_component(const SavedRun& run, const CheckpointReader& file, const std::string& prefix, Component& component);

void save_callbacks(const SavedRun& run, CheckpointWriter& out);
void load_callbacks(const SavedRun& run, const CheckpointReader& file);
void save_loggers(const SavedRun& run, CheckpointWriter& out);
void load_loggers(const SavedRun& run, const CheckpointReader& file);

// Loads a data module's state before its setup. Skips a state that the data module cannot load; load_component() warns
// of it later.
void load_before_setup(const CheckpointReader& file, DataModule& data);

}  // namespace levin::core
