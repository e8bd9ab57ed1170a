// The options of the model group that every model has: its initial weights.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct InitWeights {
  std::optional<std::string> from;                // an absolute path
  bool strict = true;                             // every tensor of the model and of the file has to match
  nlohmann::json map = nlohmann::json::object();  // see core/weights/name_map.hpp
};

const std::vector<OptionSchema>& weight_options();

// values: RunConfig::weights. Missing values get their defaults.
InitWeights init_weights_from(const nlohmann::json& values);

}  // namespace levin::core
