// Renames weights by replacing prefixes of their names.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

class NameMap {
 public:
  NameMap() = default;
  // map: {"module.": "", "head.": null}. A text replaces the prefix, null drops the weight, and "" is a prefix of every
  // name. Throws Error{usage}, whose message begins with `where`, for any other value.
  NameMap(const nlohmann::json& map, const std::string& where);

  // Returns the name with its longest listed prefix replaced; nullopt if the weight is dropped.
  std::optional<std::string> operator()(const std::string& name) const;
  nlohmann::json to_json() const;

 private:
  std::map<std::string, std::optional<std::string>> beginnings_;
};

// Returns the map of one prefix with which the most names of the file become names of the model, or nullopt if no map
// increases their number.
std::optional<NameMap> suggested_map(const std::vector<std::string>& file, const std::vector<std::string>& model);

}  // namespace levin::core
