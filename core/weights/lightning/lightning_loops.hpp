// The counters of a fit as Lightning's checkpoints have them, under "loops" and "fit_loop".
#pragma once
#include <nlohmann/json.hpp>

namespace levin::core {

// As RunProgress::state_dict() has them, and with what else "loops" has in a checkpoint of ours. Throws
// std::runtime_error that says what is missing or no count.
nlohmann::json loops_of_lightning(const nlohmann::json& fit_loop);

// The other way. `loops` is from a checkpoint of ours.
nlohmann::json loops_for_lightning(const nlohmann::json& loops);

}  // namespace levin::core
