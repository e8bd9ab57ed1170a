#include "core/abi/plugin_host.hpp"

#include <cstring>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"

namespace levin::core {
namespace {

// Throws Error{usage} if no tensor can be made from the view.
void require_view(const levin_view* view) {
  if (!view) throw Error(ErrorCode::call_invalid, "the view of a tensor is null");
  if (view->ndim < 0 || view->ndim > 64 || (view->ndim > 0 && !view->shape))
    throw Error(ErrorCode::call_invalid,
                "a view has 0 to 64 dimensions and their sizes, not " + std::to_string(view->ndim));
  int64_t elements = 1;
  for (int32_t d = 0; d < view->ndim; ++d) {
    if (view->shape[d] < 0)
      throw Error(ErrorCode::call_invalid, "a view has the size " + std::to_string(view->shape[d]) + " in a dimension");
    if (view->shape[d] == 0) elements = 0;
  }
  if (elements > 0 && !view->data) throw Error(ErrorCode::call_invalid, "a view has no data");
}

}  // namespace

PluginHost::PluginHost(std::string plugin, const ServiceTable& services, LogSink sink, bool torch)
    : plugin_(std::move(plugin)), services_(services), sink_(std::move(sink)), torch_(torch) {
  table_.size = sizeof table_;
  table_.abi_minor = LEVIN_ABI_MINOR;
  table_.name = "levin";
  table_.version = host_version;
  table_.ctx = this;
  table_.service = &PluginHost::service;
  table_.fail = &PluginHost::fail;
  table_.log = &PluginHost::log;
  table_.tensor_retain = [](const levin_host*, levin_tensor* t) { serve([&] { release(retain(t)); }); };
  table_.tensor_release = [](const levin_host*, levin_tensor* t) {
    if (t) serve([&] { own(t); });
  };
  table_.tensor_view = [](const levin_host*, levin_tensor* t, levin_view* out) {
    return serve([&] { *out = view_of(retain(t)); });
  };
  table_.tensor_from_view = [](const levin_host*, const levin_view* view, levin_tensor** out) {
    return serve([&] {
      require_view(view);
      *out = release(copy_of(*view));
    });
  };
  table_.tensor_from_managed = [](const levin_host* host, levin_managed* managed, levin_tensor** out) {
    return serve([&] { *out = release(adopt(managed, {self(host).plugin_, ""})); });
  };
  table_.tensor_item = [](const levin_host*, levin_tensor* t, double* out) {
    return serve([&] {
      if (BorderWatch* watch = border_watch()) watch->on_training_thread("tensor_item");
      *out = retain(t).item().toDouble();
    });
  };
  table_.last_error = [](const levin_host*) { return service_failure().c_str(); };
}

const void* PluginHost::service(const levin_host* host, const char* id) {
  static const char present = 1;
  if (!id) return nullptr;
  if (std::strcmp(id, "levin.torch/1") == 0) return self(host).torch_ ? &present : nullptr;
  const auto found = self(host).services_.find(id);
  return found == self(host).services_.end() ? nullptr : found->second;
}

levin_status PluginHost::fail(const levin_host*, levin_status status, const char* message) {
  try {
    std::string& service = service_failure();
    const std::string joined = ": " + service;
    std::string said = message ? message : "";
    if (!service.empty() && ends_with(said, joined)) said.resize(said.size() - joined.size());  // appended by the SDK
    const bool told = said.find(service) != std::string::npos;
    plugin_failure() = starts_with(service, said) ? service : brief(said);  // the plugin's text is its beginning
    if (!told && plugin_failure() != service) plugin_failure() += joined;
    if (service.empty()) code_of_service_failure() = ErrorCode::internal_error;
    service.clear();
  } catch (...) {
  }
  return status < 0 ? status : LEVIN_E_INTERNAL;
}

void PluginHost::log(const levin_host* host, int32_t level, const char* message) {
  try {
    self(host).sink_(level, self(host).plugin_ + ": " + (message ? message : ""));
  } catch (...) {
  }
}

}  // namespace levin::core
