// A run's options by dotted name, in the form that loggers get: {"model.lr", 0.1}.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

class HyperParameters {
 public:
  HyperParameters() = default;                        // none
  explicit HyperParameters(const RunConfig& config);  // without secrets
  HyperParameters(const HyperParameters&) = delete;
  HyperParameters& operator=(const HyperParameters&) = delete;

  // The results are valid for the life of this object. levin_args::json is one object with the dotted names as keys.
  levin_args args() const;
  const char* const* names() const { return name_pointers_.data(); }

 private:
  void add(const std::string& group, const nlohmann::json& options);
  std::vector<std::string> names_, texts_;
  std::vector<const char*> name_pointers_;
  std::vector<levin_value> values_;
  nlohmann::json flat_ = nlohmann::json::object();
  std::string json_ = "{}";
};

}  // namespace levin::core
