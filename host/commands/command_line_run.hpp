// A run from the command line: builds it from what the words, the environment and the caller's settings say.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/index/plugin_index.hpp"
#include "host/command_line.hpp"
#include "host/compose/run_builder.hpp"
#include "host/plugin_source.hpp"

namespace levin::core {

class CommandLineRun {
 public:
  // words: those that `early` was read from. more_dirs: of a saved run, whose folders may be gone.
  CommandLineRun(Command command, std::vector<std::string> words, EarlyOptions early,
                 const std::vector<std::string>& more_dirs);

  // The saved settings hold everything: the defaults and what components recommend are not asked for again.
  void is_saved_whole() { request_.recommendations = false; }
  void ignore_environment() { environment_ = false; }
  void trust() { request_.trust = true; }
  PluginSource& source() { return source_; }

  // settings: those below the command line. Once.
  BuiltRun build(std::vector<Setting> settings);

 private:
  // With what the words and the environment say of the components that the settings name.
  std::vector<Setting> with_options(std::vector<Setting> settings, const std::vector<std::string>& words,
                                    std::vector<std::string>& warnings);
  std::vector<Setting> tuners(const std::vector<Setting>& settings);

  std::vector<std::string> words_;
  EarlyOptions early_;
  PluginIndex index_;
  PluginSource source_;
  RunRequest request_;
  bool environment_ = true;
};

// Prints the run as a configuration file where `print` asks for it; else hands it to the engine, which does not return.
int print_or_launch(const BuiltRun& run, bool print);

void append(std::vector<Setting>& to, std::vector<Setting> from);

}  // namespace levin::core
