// Prints the findings of `host check`: line by line as they arrive, or as one JSON document at the end.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/config/schema.hpp"
#include "host/engine/check/common/finding.hpp"

namespace levin::core {

class CheckOutput {
 public:
  CheckOutput(const std::string& file, const PluginSchema& schema, bool as_json);
  void component(const ComponentSchema& schema);
  void verdict(const Finding& verdict);
  void noise(const std::string& text) const;  // stderr output of a process that crashed
  void end();
  bool failed() const { return counts_[static_cast<int>(Result::fail)] > 0; }

 private:
  const bool as_json_;
  int counts_[3] = {0, 0, 0};  // by Result
  nlohmann::json document_;
};

}  // namespace levin::core
