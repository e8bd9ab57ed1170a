// host tune: which tuners run. Tuners are the callbacks with LEVIN_F_FIRST.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/composition.hpp"

namespace levin::core {

bool names_tuner(const Composition& composition);

// The words, with their values, that speak of Trainer options that tuners serve.
std::vector<std::string> words_for_tuners(const std::vector<std::string>& words, ComponentSource& source);

// Every tuner that is found, as settings, but for those that `said` switches off; none where `said` asks for one by an
// option that it serves. Throws Error{usage} where no tuner is left.
std::vector<Setting> tuners_by_default(const std::vector<Setting>& said, ComponentSource& source);

// Throws Error{usage} with the reasons where none of them is part of the run.
void require_tuner(const Composition& composition);

// A saved run of tuners goes on as the fit that they were for.
void forget_tuners(RunConfig& saved, ComponentSource& source);

}  // namespace levin::core
