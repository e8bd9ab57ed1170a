// Changes of plugins, and missing ones, since a run was saved that is now resumed or repeated
// (docs/adr/0031-saved-runs-and-new-plugins.md).
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

struct ComparedRun {
  std::string where;  // the run's file, for messages
  RunConfig config;
};

// Compares the components with those of the saved runs and returns a line for each difference in version, file or
// options. Throws Error if an option of the saved run no longer exists, or if a plugin file is missing and a different
// file provides the component. With `allowed` these are accepted and reported, and the missing options are dropped from
// the settings. Former option names must have been replaced by the present ones before the call.
std::vector<std::string> plugin_changes(Composition& composition, const std::vector<ComparedRun>& saved, bool allowed);

// Removes the settings of missing callbacks and loggers. Components that later settings replace or switch off are
// removed silently; for each of the others a line is returned. If `allowed` is false, a missing component that is not
// replaced throws the error of ComponentSource::find, extended by the option that continues without it.
std::vector<std::string> leave_out_lost(std::vector<Setting>& settings, ComponentSource& source, bool allowed);

}  // namespace levin::core
