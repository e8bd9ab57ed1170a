// The state of a learning-rate schedule in the form of torch.optim.lr_scheduler's state_dict.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// Converts from Python. own: the schedule's current state_dict(). Throws std::runtime_error that says what does not
// fit, and where in the saved state.
nlohmann::json schedule_of_python(const nlohmann::json& own, const nlohmann::json& saved);

// Converts to Python. Throws std::runtime_error if Python has no such schedule.
nlohmann::json schedule_for_python(const nlohmann::json& own);

// Returns the options that differ from the saved state, as texts such as "step_size is 10 and was 5".
std::vector<std::string> changed_options(const nlohmann::json& options, const nlohmann::json& saved);

}  // namespace levin::core
