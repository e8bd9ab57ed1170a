// All options of a run, in the form that loggers get.
#pragma once
#include <string>
#include <vector>

#include "core/config/arguments.hpp"
#include "core/config/run_config.hpp"

namespace levin::core {

// A run's options by dotted name, such as "model.lr", in the form that loggers get.
class HyperParameters {
 public:
  HyperParameters() : HyperParameters(Dotted{}) {}    // none
  explicit HyperParameters(const RunConfig& config);  // without secrets

  // The results are valid for the life of this object. levin_args::json is one object with the dotted names as keys.
  const levin_args& args() const { return *arguments_.raw(); }
  const char* const* names() const { return names_.data(); }

 private:
  struct Dotted {
    std::vector<OptionSchema> schema;
    nlohmann::json values = nlohmann::json::object();
    explicit Dotted() = default;
    explicit Dotted(const RunConfig& config);
    void add(const std::string& group, const nlohmann::json& options);
  };
  explicit HyperParameters(Dotted dotted);
  Dotted dotted_;
  Arguments arguments_;
  std::vector<const char*> names_;
};

}  // namespace levin::core
