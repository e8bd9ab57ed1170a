// The default arguments of PyTorch's and Lightning's classes, which LightningCLI writes into every file.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace levin::core {

// Returns true if the argument asks for nothing: null, or the default of an argument whose default Levin does anyway.
// part: "optimizer", "lr_scheduler", "logger", "callback", or "trainer" for the classes of its values.
bool asks_nothing(const std::string& part, const std::string& argument, const nlohmann::json& value);

}  // namespace levin::core
