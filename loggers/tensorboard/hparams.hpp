// Hyper-parameters for TensorBoard's HPARAMS page, as the values of a summary event.
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace levin::tensorboard {

using HParam = std::variant<bool, double, std::string>;
using HParams = std::vector<std::pair<std::string, HParam>>;

// The leaves of a JSON object: {"model": {"lr": 0.1}} gives model/lr. Lists and null become text.
HParams hparams_of_json(const std::string& json);

// The parameters and metrics that the page compares.
std::string experiment_value(const HParams& params, const std::vector<std::string>& metrics);
std::string session_start_value(const HParams& params, double wall_time);
std::string session_end_value(bool success, double wall_time);

}  // namespace levin::tensorboard
