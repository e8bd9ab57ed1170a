// What a built-in optimizer says of itself.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct OptimizerSpec {
  std::string id;          // "adamw"
  std::string class_name;  // "AdamW"
  std::string summary;
  std::vector<OptionSchema> options;  // as users write them: "betas" is an array of two numbers
};

}  // namespace levin::core
