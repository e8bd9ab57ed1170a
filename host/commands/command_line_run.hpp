// Builds a run from the command line, the environment and settings of the caller.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/config/run_config.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/cli/command_line.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/run_builder.hpp"

namespace levin::core {

class CommandLineRun {
 public:
  // arguments: the arguments from which `early` was read. more_dirs: plugin folders of a saved run; missing folders are
  // ignored.
  CommandLineRun(Command command, std::vector<std::string> arguments, EarlyOptions early,
                 const std::vector<std::string>& more_dirs);

  // Marks the settings as a saved run's, which already include the recommendations of its components.
  void is_saved_whole() { request_.recommendations = false; }
  // Adds a saved run to compare plugins with. Its settings must be among the settings passed to build().
  void compares_with(ComparedRun saved) { request_.saved.push_back(std::move(saved)); }
  void ignore_environment() { environment_ = false; }
  void trust() { request_.trust = true; }
  PluginSource& source() { return source_; }

  // Adds the settings from arguments and environment for the components that the settings name.
  std::vector<Setting> with_options(std::vector<Setting> settings, const std::vector<std::string>& arguments,
                                    std::vector<std::string>& warnings);
  const LightningAliases& old_names() const { return request_.old; }

  // settings: the settings that rank below the command line. Call it only once.
  BuiltRun build(std::vector<Setting> settings);

 private:
  void refuse_missing_model(const Composition& composition, const KnownOptions& known,
                            const std::vector<std::string>& arguments);
  std::vector<Setting> tuners(const std::vector<Setting>& settings);

  std::vector<std::string> arguments_;
  EarlyOptions early_;
  PluginIndex index_;
  PluginSource source_;
  RunRequest request_;
  bool environment_ = true;
};

// With --print_config or --explain, prints the run's configuration or the sources of options and returns 0. Otherwise
// replaces this process by the engine, or launches several engines and returns the run's exit code.
int print_or_launch(const BuiltRun& run, const EarlyOptions& early);

void append(std::vector<Setting>& to, std::vector<Setting> from);

// A run with all checks of its command, but not started.
struct CheckedRun {
  RunConfig config;
  std::vector<std::string> warnings;
  bool prints = false;  // the arguments include --print_config or --explain
};

CheckedRun checked(const BuiltRun& run);

// Calls `use` with the run that the arguments after the command describe, while its components are known, and returns
// the result. Throws the errors of the command.
int with_run(Command command, const std::vector<std::string>& arguments,
             const std::function<int(const BuiltRun&)>& use);
// arguments: the arguments after the command. Throws the errors of the command.
CheckedRun checked_run(Command command, const std::vector<std::string>& arguments);
CheckedRun checked_resume(const std::vector<std::string>& arguments);

// Returns the arguments with --run FOLDER and --ckpt_path best|last replaced by --ckpt_path FILE, the checkpoint of
// that run. Without --ckpt_path an evaluation uses the best checkpoint, or else the last. Throws Error{usage} if the
// arguments contradict each other, and Error{checkpoint} if the run has no such checkpoint.
std::vector<std::string> with_checkpoint_of_run(Command command, std::vector<std::string> arguments);

}  // namespace levin::core
