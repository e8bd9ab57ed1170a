// The program `host` of this installation.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace levin::core::sweep {

std::string host_program();

struct CheckedFit {
  nlohmann::json config;             // without secrets
  std::vector<std::string> secrets;  // where each secret that is set comes from: "--model.token", or "FILE:LINE"
};

// Asks the host for the whole configuration of a fit with these arguments, and runs no plugin code. Throws the host's
// Error, for example for an option that does not exist.
CheckedFit checked_fit(const std::vector<std::string>& arguments);

}  // namespace levin::core::sweep
