// Rules 50 to 59, for loggers.
#pragma once
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

void check_logger(Report& report, const Subject& subject);

}  // namespace levin::core
