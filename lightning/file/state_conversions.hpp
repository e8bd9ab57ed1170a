// Converts parts of a checkpoint between Lightning and this program: the counters of a fit ("loops", "fit_loop"), and
// the states of learning-rate schedules in the form of torch.optim.lr_scheduler's state_dict.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core {

// Converts from Lightning: returns the "loops" of this program's checkpoints, i.e. RunProgress::state_dict() and the
// other entries. Throws std::runtime_error that names an entry that is missing or not a count.
nlohmann::json loops_of_lightning(const nlohmann::json& fit_loop);

// Converts to Lightning. loops: from a checkpoint of this program.
nlohmann::json loops_for_lightning(const nlohmann::json& loops);

// Converts from Python. own: the schedule's current state_dict(). Throws std::runtime_error that says what does not
// fit, and where in the saved state.
nlohmann::json schedule_of_python(const nlohmann::json& own, const nlohmann::json& saved);

// Converts to Python. Throws std::runtime_error if Python has no such schedule.
nlohmann::json schedule_for_python(const nlohmann::json& own);

// Returns the options that differ from the saved state, as texts such as "step_size is 10 and was 5".
std::vector<std::string> changed_options(const nlohmann::json& options, const nlohmann::json& saved);

}  // namespace levin::core
