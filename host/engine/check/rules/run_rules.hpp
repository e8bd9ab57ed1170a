// Rules 60 to 69: real runs of the Trainer with the component, for every kind. What the run needs besides is fake.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_config.hpp"
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// What is wrong with such a fit of a model on this data, or "".
std::string try_fit(const Subject& subject, const ComponentConfig& data);
// data: for models; the others get fake rows, where they are no data module themselves.
void check_runs(Report& report, const Subject& subject, const std::optional<ComponentConfig>& data = std::nullopt);

}  // namespace levin::core
