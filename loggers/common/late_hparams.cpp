#include "late_hparams.hpp"

#include <nlohmann/json.hpp>

namespace levin::loggers {
namespace {

using Json = nlohmann::ordered_json;

// Returns the object with the options of a group, or nullptr if the group has another form.
Json* options_of(Json& all, const std::string& group) {
  if (!all.contains(group)) all[group] = Json::object();
  Json& found = all[group];
  if (!found.is_object()) return nullptr;
  return found.contains("options") && found["options"].is_object() ? &found["options"] : &found;
}

}  // namespace

std::string with_late_hparams(const std::string& hparams_json, const std::string& late_json) {
  Json all = Json::parse(hparams_json.empty() ? "{}" : hparams_json);
  const Json late = Json::parse(late_json);
  for (const auto& [name, value] : late.items()) {
    const size_t dot = name.find('.');
    Json* const options = dot == std::string::npos ? nullptr : options_of(all, name.substr(0, dot));
    (options ? (*options)[name.substr(dot + 1)] : all[name]) = value;
  }
  return all.dump();
}

}  // namespace levin::loggers
