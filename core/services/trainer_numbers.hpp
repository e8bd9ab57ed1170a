// The numbers of a run by name, for levin.trainer/1.
#pragma once
#include <string>

#include "core/services/run.hpp"

namespace levin::core {

// False: there is no such number. Throws Error{usage} where it is not known, as the steps of a fit without an end.
bool trainer_number(const TrainerParts& parts, const std::string& name, double& out);

// The failure of a call that asks for a name that the trainer does not have. kind: "number" or "text".
levin_status no_such(const char* kind, const char* name);

}  // namespace levin::core
