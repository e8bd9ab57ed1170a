// Hyper-parameters that become known after a run has begun.
#pragma once
#include <string>

namespace levin::loggers {

// The hyper-parameters of a run with the late ones put in: {"model.width": 64} becomes the member width of the model's
// options. Both are JSON objects. Throws std::exception for bad JSON.
std::string with_late_hparams(const std::string& hparams_json, const std::string& late_json);

}  // namespace levin::loggers
