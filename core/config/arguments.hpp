// Converts checked options to the levin_args that plugins get.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

class Arguments {
 public:
  // options: checked values by name; missing options get their defaults.
  Arguments(const std::vector<OptionSchema>& schema, const nlohmann::json& options);
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  const levin_args* raw() const { return &raw_; }

 private:
  levin_value value_of(const OptionSchema& option, const nlohmann::json& value);
  std::vector<std::string> texts_;
  std::vector<std::vector<int64_t>> lists_;
  std::vector<levin_value> values_;
  std::string json_;
  levin_args raw_{};
};

}  // namespace levin::core
