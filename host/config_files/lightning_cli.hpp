// Configuration files of LightningCLI: class_path and init_args, trainer.callbacks, trainer.logger, optimizer,
// lr_scheduler.
#pragma once
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"
#include "host/config_files/config_layers.hpp"

namespace levin::core {

// What is known while a file is read.
struct ReadingContext {
  ComponentSource& source;
  const std::vector<Setting>& named;     // components that the command line names
  std::vector<std::string>& warnings;    // gets a line for each thing that is read by a guess
  std::vector<Error>* errors = nullptr;  // gets all errors; nullptr = the first error is thrown
};

// Returns the document in Levin's form. A class stands for the component whose id is its name in other letters:
// my.nets.WideNet is wide_net, and my.data.RowsDataModule is rows. Throws
// Error{usage} with file, line and column, and with the class or key that has no counterpart. A document without such
// parts is returned as it is.
JsonDocument levin_form(const ConfigLayer& layer, const ReadingContext& context);

// The keys of a file that are arguments of LightningCLI's commands: null sets nothing, as for an argument of the
// Trainer that the host does not have. nullptr ends the list.
extern const char* const arguments_of_lightning_commands[];

// Returns the settings of a layer, whichever of the two forms it has.
std::vector<Setting> settings_of_layer(const ConfigLayer& layer, int rank, const ReadingContext& context);

}  // namespace levin::core
