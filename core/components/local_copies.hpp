// Copies on this machine of what options name by http addresses.
#pragma once
#include <nlohmann/json.hpp>

#include "core/base/console/console.hpp"
#include "core/config/schema.hpp"

namespace levin::core {

// Returns the options of a component with the paths of copies in place of addresses. Throws Error if one cannot be
// downloaded, and Interrupt if a signal asks the run to end. stage: LEVIN_STAGE_*; outside a fit there is a warning for
// an address that cannot be downloaded, and the path of a copy that is not there, because it may not be needed.
nlohmann::json with_local_copies(const ComponentSchema& schema, nlohmann::json options, uint32_t stage,
                                 Console& console);

}  // namespace levin::core
