// Brings a plugin into this process after every check of docs/plugin-files.md.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/probe.hpp"

namespace levin::core {

// Makes the levin_host for each plugin. It lives as long as the process.
class HostFactory {
 public:
  virtual ~HostFactory() = default;
  virtual const levin_host& host_for(const std::string& plugin) = 0;  // plugin: the file's name, for messages
  // What the plugin last told host->fail, or "".
  virtual std::string last_failure(const levin_host& host) = 0;
};

struct LoadedPlugin {
  std::filesystem::path path;  // absolute, with links resolved
  std::string build_id;        // in hex; may be empty
  const levin_plugin* table;   // valid as long as the process, as is the host
  const levin_host* host;      // the one that the plugin was given
  PluginSchema schema;         // its components are in the table's order
  std::vector<std::string> warnings;

  // The table of the component with this kind and id, or nullptr.
  const levin_component* component(uint32_t kind, const std::string& id) const;
};

struct LoadOptions {
  bool trust = false;
  Probe probe{};  // by default this installation's host is asked
};

// Throws Error{plugin} for the first check that fails. Call it on the main thread before other threads start. A plugin
// is never unloaded.
LoadedPlugin load_plugin(const std::filesystem::path& path, HostFactory& hosts, const LoadOptions& options = {});

}  // namespace levin::core
