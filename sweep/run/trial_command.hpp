// The words of a command of trials: `host fit ...`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sweep/run/host_program.hpp"

namespace levin::core::sweep {

// Returns the option in the form in which names are compared: dashes within it are underscores.
std::string with_underscores(std::string option);

// Removes an option, written with its dashes, from the words. Returns the last value; nullopt = it is not there.
std::optional<std::string> take_option(std::vector<std::string>& words, const std::string& option);
// The same for an option of the Trainer, which may be written without its group.
void take_trainer_option(std::vector<std::string>& words, const std::string& option);

// Returns true for an option that names the folder of a run, which is chosen for each trial.
bool names_run_folder(const std::string& option);

// Where the folders of the trials are: in `log_name` of `root`.
struct TrialsFolder {
  std::string root, log_name;
};
// Takes the options of these out of the command. Throws Error{usage} if the command names one folder for all trials.
TrialsFolder take_trials_folder(std::vector<std::string>& command, const CheckedFit& fit);

}  // namespace levin::core::sweep
