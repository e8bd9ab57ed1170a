// Rules 60 to 69: real runs of the Trainer with the component, for every kind. What the run needs besides is invented.
#pragma once
#include "host/engine/check/report.hpp"
#include "host/engine/check/subject.hpp"

namespace levin::core {

// data: options of the invented data module "any_rows", for models.
// What is wrong with such a fit, or "".
std::string try_fit(const Subject& subject, const nlohmann::json& data);
void check_runs(Report& report, const Subject& subject, const nlohmann::json& data);

}  // namespace levin::core
