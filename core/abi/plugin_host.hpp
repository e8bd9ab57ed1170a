// The levin_host of one plugin, which the plugin uses to look up services, report failures and log messages.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "sdk/include/levin/abi.h"

namespace levin::core {

using ServiceTable = std::map<std::string, const void*>;  // service id -> table

class PluginHost {
 public:
  using LogSink = std::function<void(int32_t level, const std::string& line)>;

  // torch = true: the plugin uses the host's LibTorch, so it gets the service "levin.torch/1". `services` must outlive
  // this object.
  PluginHost(std::string plugin, const ServiceTable& services, LogSink sink, bool torch);
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  const levin_host* table() const { return &table_; }

 private:
  static PluginHost& self(const levin_host* host) { return *static_cast<PluginHost*>(host->ctx); }
  static const void* service(const levin_host*, const char* id);
  static levin_status fail(const levin_host*, levin_status status, const char* message);
  static void log(const levin_host*, int32_t level, const char* message);

  std::string plugin_;
  const ServiceTable& services_;
  LogSink sink_;
  bool torch_;
  levin_host table_{};
};

}  // namespace levin::core
