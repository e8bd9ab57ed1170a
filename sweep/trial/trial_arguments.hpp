// The command line of `host trial`.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error_codes.hpp"

namespace levin::core::sweep {

struct TrialArguments {
  std::string metric = "val_loss";
  bool maximizes = false;
  std::optional<nlohmann::json> params;  // nullopt = they come through the standard input
  std::vector<std::string> command;      // the arguments of `host fit`
};

// Throws Error{usage}.
TrialArguments read_trial_arguments(const std::vector<std::string>& words);

[[noreturn]] void refuse_trial(ErrorCode code, const std::string& what);  // throws Error{usage}

// Returns the words that set these values: "--model.lr=0.1". Throws Error{usage} if `params` is no object of options
// and values, or names an option that is chosen for each trial.
std::vector<std::string> words_of_params(const nlohmann::json& params);

}  // namespace levin::core::sweep
