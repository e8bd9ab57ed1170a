// The numbers that levin.trainer/1 provides by name.
#pragma once
#include <string>

#include "core/services/run.hpp"

namespace levin::core {

// Returns false if there is no such number. Throws Error{usage} if its value is unknown, such as the number of steps of
// a fit on data of unknown length.
bool trainer_number(const TrainerParts& parts, const std::string& name, double& out);

// Returns the status for an unknown name and sets the error message. kind: "number" or "text".
levin_status no_such(const char* kind, const char* name);

}  // namespace levin::core
