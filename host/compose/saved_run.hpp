// Going on with a run whose configuration was saved.
#pragma once
#include <vector>

#include "core/config/run_config.hpp"
#include "host/compose/component_source.hpp"
#include "host/compose/setting.hpp"

namespace levin::core {

// What the saved run was, as settings that later ones may override. Options that a component no longer has are left
// out.
std::vector<Setting> settings_from_run(const RunConfig& saved, ComponentSource& source);

}  // namespace levin::core
