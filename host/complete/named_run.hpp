// The run that an unfinished command line names.
#pragma once
#include <string>
#include <vector>

#include "core/plugin/plugin_index.hpp"
#include "host/cli/command_line.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/known_option.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// Returns the words that may be folders of runs: those of --run, and the arguments of `resume`.
std::vector<std::string> named_folders(const std::vector<std::string>& words);

class NamedRun {
 public:
  // words: those after `host` up to the cursor. Their components are the ones of --model, --data, --callback and
  // --logger, of --config files, and of a saved run: `resume RUN_DIR`, --run FOLDER or --ckpt_path FILE. A component
  // that is not found is left out.
  explicit NamedRun(const std::vector<std::string>& words);

  PluginSource& source() { return source_; }
  // The default components and the named ones.
  Composition composition();
  // Names of the profiles in the files of --config.
  std::vector<std::string> profiles() const;
  // Their options and the Trainer's.
  KnownOptions options();

 private:
  std::vector<Setting> saved_;  // before the index, which searches the run's plugin folders
  std::vector<std::string> saved_dirs_;
  EarlyOptions early_;
  PluginIndex index_;
  PluginSource source_;
};

}  // namespace levin::core
