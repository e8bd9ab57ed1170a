// Rules 20 to 29: on models.
#pragma once
#include "host/engine/check/report.hpp"
#include "host/engine/check/subject.hpp"

namespace levin::core {

// Finds invented data that the model can be made for; its description then is subject.data.
void check_model(Report& report, Subject subject);

}  // namespace levin::core
