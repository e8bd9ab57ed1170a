// Rules 20 to 29, for models.
#pragma once
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

// First finds fake data that the model works with, and sets subject.data to its description.
void check_model(Report& report, Subject subject);

}  // namespace levin::core
