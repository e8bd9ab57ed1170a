// The names of precisions, as in Lightning.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

// The canonical name: "bf16" -> "bf16-mixed", "16-true" -> itself; nullopt: there is no such precision.
std::optional<std::string> canonical_precision(const std::string& name);
// The names that a run can have, the canonical ones first. canonical_precision also knows those of the Transformer
// Engine, which are refused by name.
std::vector<std::string> precision_names();

}  // namespace levin::core
