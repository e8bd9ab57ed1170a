// The functions of the commands. `arguments` are the arguments after the command. Each returns the exit code and throws
// Error. Commands that show plugin files run no code of the plugins in this process.
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
// arguments: show, verify, diff, average or prune, then files or a run's folder.
int ckpt_command(const std::vector<std::string>& arguments);
// arguments: a run folder or a file of weights. Writes its weights in another program's format.
int export_command(const std::vector<std::string>& arguments);
// arguments: options of the job, then a command with its arguments. Writes a script and hands it to SLURM.
int submit_command(const std::vector<std::string>& arguments);
// arguments: a folder of runs. Prints how they are.
int runs_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
// arguments: the file, then options for `host check`, which the plugin has to pass. Copies it into the user's folder.
int install_command(const std::vector<std::string>& arguments);
// arguments: a file's name, a plugin's id or a component's. Removes it from the user's folder.
int uninstall_command(const std::vector<std::string>& arguments);
// arguments: the kind and the name of a plugin, and its language. Writes a project that builds.
int new_command(const std::vector<std::string>& arguments);
// Prints what can be found out without LibTorch, then starts the engine, which prints the rest.
int doctor_command(const std::vector<std::string>& arguments);
// arguments: any number of "trainer", "data", commands, plugin files and components' ids.
int help_command(const std::vector<std::string>& arguments);

}  // namespace levin::core
