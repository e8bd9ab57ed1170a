// Loads a plugin into this process after all checks of docs/plugin-files.md.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

// Creates the levin_host of each plugin, which lives as long as the process.
class HostFactory {
 public:
  virtual ~HostFactory() = default;
  virtual const levin_host& host_for(const std::string& plugin) = 0;  // plugin: the file's name, for messages
  // Returns the text that the plugin last passed to host->fail, or "".
  virtual std::string last_failure(const levin_host& host) = 0;
};

struct LoadedPlugin {
  std::filesystem::path path;  // absolute, with links resolved
  std::string build_id;        // in hex; may be empty
  const levin_plugin* table;   // valid for the life of the process, like the host
  const levin_host* host;      // the host that was passed to the plugin
  PluginSchema schema;         // components in the table's order
  std::vector<std::string> warnings;

  // Returns the table of the component with this kind and id, or nullptr.
  const levin_component* component(uint32_t kind, const std::string& id) const;
};

struct LoadOptions {
  bool trust = false;
  Probe probe{};  // by default uses this installation's host
};

// Throws Error{plugin} for the first check that fails. Must be called on the main thread before other threads start. A
// plugin is never unloaded.
LoadedPlugin load_plugin(const std::filesystem::path& path, HostFactory& hosts, const LoadOptions& options = {});

}  // namespace levin::core
