// Hyper-parameters that become known after the start of a run.
#pragma once
#include <string>

namespace levin::loggers {

// Inserts late hyper-parameters into a run's hyper-parameters: {"model.width": 64} becomes the member width of the
// model's options. Both are JSON objects. Throws std::exception for invalid JSON.
std::string with_late_hparams(const std::string& hparams_json, const std::string& late_json);

}  // namespace levin::loggers
