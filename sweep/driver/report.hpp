// What `host sweep status|best|report` print.
#pragma once
#include <string>

#include "sweep/driver/settings.hpp"

namespace levin::core::sweep {

// verb: status, best or report. Throws Error{usage} if there is no best trial yet.
std::string sweep_report(const SweepFolder& folder, const std::string& verb, bool json);

}  // namespace levin::core::sweep
