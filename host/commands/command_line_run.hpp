// Builds a run from the arguments of the command line, the environment and the settings of the caller.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/plugin/plugin_index.hpp"
#include "host/cli/command_line.hpp"
#include "host/cli/plugin_source.hpp"
#include "host/compose/run_builder.hpp"

namespace levin::core {

class CommandLineRun {
 public:
  // arguments: the arguments that `early` was read from. more_dirs: plugin folders of a saved run; missing ones are
  // ignored.
  CommandLineRun(Command command, std::vector<std::string> arguments, EarlyOptions early,
                 const std::vector<std::string>& more_dirs);

  // Says that the settings are those of a saved run, which already contain what the components recommend.
  void is_saved_whole() { request_.recommendations = false; }
  // Says that this saved run's settings are among those of build().
  void compares_with(SavedRun saved) { request_.saved.push_back(std::move(saved)); }
  void ignore_environment() { environment_ = false; }
  void trust() { request_.trust = true; }
  PluginSource& source() { return source_; }

  // settings: those that rank below the command line. Call it only once.
  BuiltRun build(std::vector<Setting> settings);

 private:
  // Adds the settings of the arguments and the environment, for the components that the settings name.
  std::vector<Setting> with_options(std::vector<Setting> settings, const std::vector<std::string>& arguments,
                                    std::vector<std::string>& warnings);
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

// With --print_config, prints the run as a configuration file and returns 0. Else becomes the engine, or launches
// several and returns the run's exit code.
int print_or_launch(const BuiltRun& run, const EarlyOptions& early);

void append(std::vector<Setting>& to, std::vector<Setting> from);

}  // namespace levin::core
