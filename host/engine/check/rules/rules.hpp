// The rules by kind of component.
#pragma once
#include <optional>
#include <string>

#include "core/config/run_config.hpp"
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// Rules 10 to 19. Returns false if the module has no data on this machine, so that no run is possible.
bool check_data(Report& report, const Subject& subject);

void check_optimizer(Report& report, const Subject& subject);  // rules 30 to 39
void check_tasks(Report& report, const Subject& subject);      // rules 41 to 49
void check_logger(Report& report, const Subject& subject);     // rules 50 to 59

// Rules 20 to 29. First finds fake data that the model works with, and sets subject.data to its description.
void check_model(Report& report, Subject subject);

// Returns the problem of a fit of the model on this data, or "".
std::string try_fit(const Subject& subject, const ComponentConfig& data);
// Rules 60 to 69: real runs of the Trainer with the component, for every kind but tasks. The other components are fake.
// data: for models. Components of other kinds get fake rows, except data modules, which use their own.
void check_runs(Report& report, const Subject& subject, const std::optional<ComponentConfig>& data = std::nullopt);

}  // namespace levin::core
