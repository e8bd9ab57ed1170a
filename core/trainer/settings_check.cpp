#include "core/trainer/settings_check.hpp"

#include <set>
#include <string>

#include "core/base/json.hpp"
#include "core/base/version.hpp"

namespace levin::core {
namespace {

// Returns the first leaf that differs: "trainer.max_epochs is 3, and 2 in rank 0".
std::string first_difference(const std::string& first, const std::string& other) {
  const nlohmann::json a = nlohmann::json::parse(first).flatten(), b = nlohmann::json::parse(other).flatten();
  const auto text = [](const nlohmann::json& all, const std::string& key) {
    return all.contains(key) ? all.at(key).dump() : std::string("missing");
  };
  const auto name = [](std::string pointer) {
    for (char& c : pointer)
      if (c == '/') c = '.';
    return pointer.substr(1);
  };
  for (const nlohmann::json* side : {&a, &b})
    for (const auto& [key, value] : side->items())
      if (text(a, key) != text(b, key))
        return name(key) + " is " + text(b, key) + ", and " + text(a, key) + " in rank 0";
  return "";
}

}  // namespace

void check_settings(const RunSettings& settings, Processes& processes) {
  if (!processes.world().several()) return;
  nlohmann::json all = settings.saved_config();
  all["version of host"] = host_version;
  all["version of LibTorch"] = LEVIN_TORCH_VERSION;
  processes.check_same("options", all.dump(), &first_difference);
}

void check_same_plugins(const RunConfig& config, const nlohmann::json& provenance, Processes& processes) {
  std::set<std::string> used = {config.model.file};
  if (config.data) used.insert(config.data->file);
  for (const ComponentConfig& c : config.callbacks) used.insert(c.file);
  nlohmann::json files = nlohmann::json::object();
  for (const nlohmann::json& plugin : provenance)
    if (used.count(plugin.at("file")) > 0)
      files[plugin.at("id")] = {{"version", plugin.at("version")}, {"sha256", plugin.at("sha256")}};
  processes.check_same("plugins", files.dump(), &first_difference);
}

}  // namespace levin::core
