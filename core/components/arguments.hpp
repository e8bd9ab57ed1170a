// Converts checked options to the levin_args that plugins get: their own options in the create function, and all
// options of a run in loggers.
#pragma once
#include <string>
#include <vector>

#include "core/config/run_config.hpp"
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
