// The functions of the commands. `arguments` are the arguments after the command. Each function returns the exit code
// and throws Error. Commands that show plugin files run no plugin code in this process.
#pragma once
#include <string>
#include <vector>

#include "core/config/command.hpp"

namespace levin::core {

// run, fit, validate, test, tune and predict: build the run and start the engine.
int run_command(Command command, const std::vector<std::string>& arguments);
// arguments: the run folder, then options that change the saved run.
int resume_command(const std::vector<std::string>& arguments);
int plugins_command(const std::vector<std::string>& arguments);
int inspect_command(const std::vector<std::string>& arguments);
// arguments: show, verify, diff, average or prune, then files or a run folder.
int ckpt_command(const std::vector<std::string>& arguments);
// arguments: a run folder or a weights file. Writes the weights in another program's format.
int export_command(const std::vector<std::string>& arguments);
// arguments: options of the job, then a command with its arguments. Writes a script and submits it to SLURM.
int submit_command(const std::vector<std::string>& arguments);
// arguments: a folder of runs. Prints the state of each run.
int runs_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
// arguments: the file, then options for `host check`, which the plugin must pass. Copies the file into the user's
// plugin folder.
int install_command(const std::vector<std::string>& arguments);
// arguments: a file name, a plugin id or a component id. Removes the plugin from the user's plugin folder.
int uninstall_command(const std::vector<std::string>& arguments);
// arguments: kind and name of a plugin, and its language. Writes a project that builds.
int new_command(const std::vector<std::string>& arguments);
// Prints the facts available without LibTorch, then starts the engine, which prints the rest.
int doctor_command(const std::vector<std::string>& arguments);
// arguments: any number of "trainer", "data", commands, plugin files and component ids.
int help_command(const std::vector<std::string>& arguments);

}  // namespace levin::core
