// Other names for weights: beginnings of names, and what stands in their place.
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
  // map: {"module.": "", "head.": null}. A text replaces the beginning, null leaves the weight out, and "" is the
  // beginning of every name. Throws Error{usage} that begins with `where` if it is no such object.
  NameMap(const nlohmann::json& map, const std::string& where);

  // The name with its longest beginning that is listed replaced; nullopt if it is left out.
  std::optional<std::string> operator()(const std::string& name) const;
  nlohmann::json to_json() const;

 private:
  std::map<std::string, std::optional<std::string>> beginnings_;
};

// The map of one beginning with which more names of the file are names of the model, or nullopt if none helps.
std::optional<NameMap> suggested_map(const std::vector<std::string>& file, const std::vector<std::string>& model);

}  // namespace levin::core
