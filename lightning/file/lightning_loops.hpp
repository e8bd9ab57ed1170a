// Converts the counters of a fit between Lightning's checkpoints ("loops", "fit_loop") and this program's.
#pragma once
#include <nlohmann/json.hpp>

namespace levin::core {

// Converts from Lightning: returns the "loops" of this program's checkpoints, i.e. RunProgress::state_dict() and the
// other entries. Throws std::runtime_error that names an entry that is missing or not a count.
nlohmann::json loops_of_lightning(const nlohmann::json& fit_loop);

// Converts to Lightning. loops: from a checkpoint of this program.
nlohmann::json loops_for_lightning(const nlohmann::json& loops);

}  // namespace levin::core
