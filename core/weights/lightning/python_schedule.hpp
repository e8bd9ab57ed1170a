// The state of a learning-rate schedule as the state_dict of torch.optim.lr_scheduler has it.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// The saved state as the schedule's own. `own`: the schedule's state_dict() now. Throws std::runtime_error that says
// what does not fit, with the place in the saved state.
nlohmann::json schedule_of_python(const nlohmann::json& own, const nlohmann::json& saved);

// The other way. Throws std::runtime_error if Python has no such schedule.
nlohmann::json schedule_for_python(const nlohmann::json& own);

// What the saved state has otherwise than the options of the schedule, a text each: "step_size is 10 and was 5".
std::vector<std::string> changed_options(const nlohmann::json& options, const nlohmann::json& saved);

}  // namespace levin::core
