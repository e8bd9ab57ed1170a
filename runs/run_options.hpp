// The options of a run, one by one.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace levin::core {

struct RunOption {
  std::string name;  // as on the command line, without dashes: "trainer.max_epochs"
  std::string value;
  std::string origin;  // where it was set; "" = its default
};

// Reads a run's config.json. Members of a wrong type are left out. The result is sorted: model, data, trainer,
// callbacks, loggers.
std::vector<RunOption> options_of(const nlohmann::json& config);

// The names of the options that are not equal in all runs, in the order in which they are first found.
std::vector<std::string> different_options(const std::vector<std::vector<RunOption>>& runs);

// Returns "" if there is no such option.
std::string value_of(const std::vector<RunOption>& options, const std::string& name);

}  // namespace levin::core
