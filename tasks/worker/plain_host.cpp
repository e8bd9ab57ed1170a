#include "tasks/worker/plain_host.hpp"

#include <cstdio>

#include "core/base/text.hpp"
#include "core/base/version.hpp"

namespace levin::core::tasks {
namespace {

levin_status no_tensors(const levin_host* host) {
  return host->fail(host, LEVIN_E_UNSUPPORTED, "components of tasks get no tensors from the host");
}

const char* prefix_of(int32_t level) {
  if (level >= LEVIN_LOG_ERROR) return "error: ";
  return level == LEVIN_LOG_WARNING ? "warning: " : "";
}

}  // namespace

const levin_host& PlainHosts::host_for(const std::string& plugin) {
  One& one = hosts_.emplace_back();
  one.plugin = plugin;
  levin_host& table = one.table;
  table.size = sizeof table;
  table.abi_minor = LEVIN_ABI_MINOR;
  table.name = "levin";
  table.version = host_version;
  table.ctx = &one;
  table.service = [](const levin_host*, const char*) -> const void* { return nullptr; };
  table.fail = [](const levin_host* host, levin_status status, const char* text) {
    static_cast<One*>(host->ctx)->failure = text ? text : "";
    return status;
  };
  table.last_error = [](const levin_host* host) { return static_cast<One*>(host->ctx)->failure.c_str(); };
  table.log = [](const levin_host* host, int32_t level, const char* text) {
    std::fprintf(stderr, "%s: %s%s\n", static_cast<One*>(host->ctx)->plugin.c_str(), prefix_of(level),
                 printable(text ? text : "").c_str());
  };
  table.tensor_retain = [](const levin_host*, levin_tensor*) {};
  table.tensor_release = [](const levin_host*, levin_tensor*) {};
  table.tensor_view = [](const levin_host* h, levin_tensor*, levin_view*) { return no_tensors(h); };
  table.tensor_from_view = [](const levin_host* h, const levin_view*, levin_tensor**) { return no_tensors(h); };
  table.tensor_from_managed = [](const levin_host* h, levin_managed*, levin_tensor**) { return no_tensors(h); };
  table.tensor_item = [](const levin_host* h, levin_tensor*, double*) { return no_tensors(h); };
  return table;
}

std::string PlainHosts::last_failure(const levin_host& host) { return static_cast<One*>(host.ctx)->failure; }

}  // namespace levin::core::tasks
