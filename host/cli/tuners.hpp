// Decides which tuners `host tune` runs. Tuners are the callbacks with LEVIN_F_FIRST.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"

namespace levin::core {

bool names_tuner(const Composition& composition);  // true if a tuner is part of the run

// Returns the Trainer options among the arguments that tuners serve, with their values.
std::vector<std::string> words_for_tuners(const std::vector<std::string>& arguments, ComponentSource& source);

// Returns settings that add every tuner found, except those that `said` switches off. Returns nothing if `said` has an
// option that a tuner serves. Throws Error{usage} if no tuner is left.
std::vector<Setting> tuners_by_default(const std::vector<Setting>& said, ComponentSource& source);

// Throws Error{usage} if no tuner is part of the run. The message says what switched the tuners off.
void require_tuner(const Composition& composition);

// Removes the tuners from the saved run of `host tune`, so that it can be run as the fit that they tuned.
void forget_tuners(RunConfig& saved, ComponentSource& source);

}  // namespace levin::core
