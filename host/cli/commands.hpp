// The commands of the host: name, help and function of each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_config.hpp"

namespace levin::core {

struct HostCommand {
  const char* name;
  const char* listed_as;        // the name in the list of commands
  std::string summary;          // the command's line in that list
  std::string usage;            // the text after "usage: " in the command's own help
  std::string help;             // the rest of the command's own help
  std::optional<Command> runs;  // command that the engine runs; nullopt = the command starts no run, or resumes one
  int (*handle)(const std::vector<std::string>& arguments) = nullptr;  // of the others
  // Without a function the command is the program libexec/levin/host-NAME. `needs` says what to do where it is missing.
  const char* needs = nullptr;

  int start(const std::vector<std::string>& arguments) const;  // returns the exit code

  // Returns false for `run`, which is used without a command name: host --model X ...
  bool is_typed() const { return runs != Command::run; }
};

std::vector<HostCommand> commands_of_programs();  // program_commands.cpp

// All commands, in the order of the help.
const std::vector<HostCommand>& host_commands();
const HostCommand* find_command(const std::string& name);  // nullptr = no such command
std::vector<std::string> typed_commands();                 // names of the commands that a user types

// Replaces this process by the command's program. Throws Error{usage} if it was not built.
int start_program(const HostCommand& command, const std::vector<std::string>& arguments);

// The functions of the commands. `arguments` are the arguments after the command. Each function returns the exit code
// and throws Error. Commands that show plugin files run no plugin code in this process.

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
// arguments: a run folder. Shows the run on the terminal until it ends.
int watch_command(const std::vector<std::string>& arguments);
// arguments: run folders or folders of runs. Writes a report on them to a file.
int report_command(const std::vector<std::string>& arguments);
// arguments: new, show, diff, validate or schema, then files and options of a run.
int config_command(const std::vector<std::string>& arguments);
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
// arguments: the number of an error, or none for the list of all.
int explain_command(const std::vector<std::string>& arguments);
// arguments: bash, zsh or fish. Prints the shell's completion script.
int completion_command(const std::vector<std::string>& arguments);
// arguments: any number of "trainer", "data", commands, plugin files and component ids.
int help_command(const std::vector<std::string>& arguments);

void print_help();                                   // for host --help
void print_short_help();                             // for host without arguments
int print_command_help(const HostCommand& command);  // returns 0

}  // namespace levin::core
