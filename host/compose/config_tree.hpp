// A configuration as it is shown to users: its lines with their comments, in no format yet.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/compose/run_builder.hpp"

namespace levin::core {

struct ConfigLine {
  std::string key;
  std::optional<nlohmann::json> value{};  // nullopt = a section, which has members
  std::string comment{};                  // behind the value
  bool is_off = false;                    // written as a comment, so that it sets nothing
  std::vector<ConfigLine> members{};
  std::vector<std::string> notes{};  // comments of a line each, above the line
};

// Returns the resolved configuration, with the origin of each value as its comment: a section without a key.
ConfigLine config_tree(const BuiltRun& run);

}  // namespace levin::core
