// Bringing a plugin into this process, after every check of docs/plugin-files.md.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

// Makes the levin_host that a plugin is given: one a plugin, living as long as the process.
class HostFactory {
 public:
  virtual ~HostFactory() = default;
  virtual const levin_host& host_for(const std::string& plugin) = 0;  // plugin: the file's name, for messages
  // What the plugin last told host->fail; "" if nothing.
  virtual std::string last_failure(const levin_host& host) = 0;
};

struct LoadedPlugin {
  std::filesystem::path path;  // absolute, links resolved
  FileIdentity identity;
  std::string build_id;       // in hex; may be empty
  const levin_plugin* table;  // of the plugin, for ever
  const levin_host* host;     // that it was given
  PluginSchema schema;        // components in the table's order
  std::vector<std::string> warnings;

  // The live side of schema.components[i]; null where there is none of the id.
  const levin_component* component(uint32_t kind, const std::string& id) const;
};

struct LoadOptions {
  bool trust = false;
  Probe probe{};  // the default asks this installation's host
};

// Throws Error{plugin} for the first check that fails. Main thread, before other threads start. Never unloaded.
LoadedPlugin load_plugin(const std::filesystem::path& path, HostFactory& hosts, const LoadOptions& options = {});

}  // namespace levin::core
