// The plugins of a run. Loads each plugin once and creates components from it.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "core/base/console/console.hpp"
#include "core/components/component.hpp"
#include "core/components/own_plugin.hpp"
#include "core/config/run_config.hpp"
#include "core/plugin/loader.hpp"

namespace levin::core {

class PluginSet : public HostFactory {
 public:
  // services: the services available to plugins; must outlive the set.
  PluginSet(Console& console, bool trust, const ServiceTable& services)
      : console_(console), trust_(trust), services_(services) {}

  // Adds a plugin that is part of this program, without the checks of files. Throws Error{plugin} if its description
  // breaks a rule.
  void adopt(const OwnPlugin& own);
  // data: for models; nullptr for other components. Throws Error{plugin}, or the Error of a failed create function.
  Created create(const ComponentConfig& config, uint32_t kind, uint32_t stage, const levin_data_info* data = nullptr);
  // Call configure_callbacks and prepare_data of a model's component, before the model is created.
  std::vector<ComponentConfig> model_callbacks(const ComponentConfig& model);
  void prepare_data(const ComponentConfig& model);
  const LoadedPlugin& load(const std::string& file);
  // Throws Error{plugin} if the file has no such component.
  const ComponentSchema& schema(const ComponentConfig& config, uint32_t kind) { return *find(config, kind).schema; }
  // Returns file, id, version, LibTorch version, build id and SHA-256 of every loaded plugin. The hash is the one in
  // the configuration, made when the run was composed, or is made by the first call.
  nlohmann::json provenance();
  void hash_files();  // makes the hashes from this machine's files, which it reads in full

  const levin_host& host_for(const std::string& plugin) override;
  std::string last_failure(const levin_host& host) override;

 private:
  struct Found {
    const LoadedPlugin* plugin;
    const levin_component* component;
    const ComponentSchema* schema;
  };
  Found find(const ComponentConfig& config, uint32_t kind);
  const std::string& hash_of(const std::string& file);
  Console& console_;
  bool trust_;
  const ServiceTable& services_;
  std::deque<PluginHost> hosts_;
  std::deque<ServiceTable> own_services_;        // of adopted plugins
  std::map<std::string, LoadedPlugin> plugins_;  // by file
  std::map<std::string, std::string> hashes_;    // SHA-256 by file
};

}  // namespace levin::core
