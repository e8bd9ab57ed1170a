// Rules 60 to 69: real runs of the Trainer with the component, for every kind. The other components are fake.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_config.hpp"
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Returns the problem of a fit of the model on this data, or "".
std::string try_fit(const Subject& subject, const ComponentConfig& data);
// data: for models. Components of other kinds get fake rows, except data modules, which use their own.
void check_runs(Report& report, const Subject& subject, const std::optional<ComponentConfig>& data = std::nullopt);

}  // namespace levin::core
