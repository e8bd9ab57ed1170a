// The scripted callback and logger.
#pragma once
#include "conformance/plugins/script.hpp"

namespace scripted {

levin_component callback_component();
levin_component logger_component();

}  // namespace scripted
