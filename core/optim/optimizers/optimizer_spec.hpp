// The name, the options and the maker of a built-in optimizer.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

class Optimizer;

struct OptimizerSpec {
  // The spec must outlive the optimizer, which has no groups yet.
  std::unique_ptr<Optimizer> (*make)(const OptimizerSpec& spec, const nlohmann::json& options);
  std::string id;                     // "adamw"
  std::string class_name;             // "AdamW"
  std::vector<OptionSchema> options;  // as users write them: "betas" is an array of two numbers
};

}  // namespace levin::core
