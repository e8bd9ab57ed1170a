// The arguments of `host check`.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/config/schema.hpp"

namespace levin::core {

struct CheckArguments {
  std::string file;  // as the user wrote it
  std::vector<std::string> plugins;
  bool trust = false, json = false;
  double seconds = 60;                                         // --time_limit
  std::vector<std::pair<std::string, std::string>> options{};  // "model.hidden" and its value; "" = a bare option
};

// Throws Error{usage} if no file is named, or if an argument is not one of `host check`.
CheckArguments read_check_arguments(const std::vector<std::string>& arguments);

// Returns {"KIND.ID": {"name": checked value}}. An option is written as in a run, --model.hidden 8 or --hidden 8, and
// applies to every component of the plugin that has it; --model.ID.hidden 8 applies to one component. Throws
// Error{usage} for an option that no component has, and for a short name that components of several kinds have.
nlohmann::json check_options(const CheckArguments& arguments, const PluginSchema& schema);

}  // namespace levin::core
