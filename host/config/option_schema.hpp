// JSON Schemas of options: what editors complete, and check while a configuration is written.
#pragma once
#include <nlohmann/json.hpp>

#include "core/config/schema.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core::config {

// The schemas accept what check_option() accepts, also values as texts ("3"), and where a rule is not a type also some
// values that it refuses.
nlohmann::json schema_of(const OptionSchema& option);
nlohmann::json schema_of(const TrainerOption& option);

}  // namespace levin::core::config
