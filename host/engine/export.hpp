// The part of `host export` that needs LibTorch.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace levin::core {

// request: {"checkpoint": FILE, "plugin": FILE, "trust": false, "output": FILE}. Writes the model as TorchScript.
// Returns the exit code; throws Error.
int export_torchscript(const nlohmann::json& request);

}  // namespace levin::core
