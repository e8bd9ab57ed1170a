// What has become of the plugins of a saved run that goes on or is repeated
// (docs/adr/0031-saved-runs-and-new-plugins.md).
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/composition.hpp"

namespace levin::core {

struct SavedRun {
  std::string where;  // its file, for messages
  RunConfig config;
};

// Compares the components that are still those of a saved run, and returns a line for each difference: in version, file
// and options. Throws Error if options are gone that the run had, or if another file stands for one that is gone;
// allowed: leaves such options out of the settings and says so. Call it when former names have become the present ones.
std::vector<std::string> plugin_changes(Composition& composition, const std::vector<SavedRun>& saved, bool allowed);

}  // namespace levin::core
