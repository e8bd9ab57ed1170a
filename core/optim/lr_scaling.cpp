#include "core/optim/lr_scaling.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

double lr_scaling(LrScaling scaling, int processes) {
  if (scaling == LrScaling::linear) return processes;
  return scaling == LrScaling::sqrt ? std::sqrt(static_cast<double>(processes)) : 1;
}

double saved_lr_scaling(const nlohmann::json& manifest) {
  const nlohmann::json::json_pointer option("/config/trainer/scale_lr");
  const nlohmann::json scaling = manifest.contains(option) ? manifest.at(option) : nlohmann::json();
  const nlohmann::json processes =
      manifest.is_object() ? manifest.value("world_size", nlohmann::json()) : nlohmann::json();
  if (!scaling.is_string() || !processes.is_number_integer() || processes < 1) return 1;
  return lr_scaling(value_named<LrScaling>(scaling.get<std::string>()).value_or(LrScaling::none), processes.get<int>());
}

}  // namespace levin::core
