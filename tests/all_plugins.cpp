// The components of several plugins, as if one plugin had them.
#include <dlfcn.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "levin/abi.h"

namespace {

levin_plugin plugin_of_all(const levin_host* host) {
  static std::vector<const levin_component*> components;
  for (const char* file : {LEVIN_TEST_PLUGIN_FILES}) {
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void* entry = library ? dlsym(library, "levin_plugin_v0") : nullptr;
    if (!entry) throw std::runtime_error(std::string(file) + ": " + dlerror());
    const levin_plugin* plugin = reinterpret_cast<decltype(&levin_plugin_v0)>(entry)(host);
    components.insert(components.end(), plugin->components, plugin->components + plugin->n_components);
  }
  levin_plugin all = {};
  all.size = sizeof all;
  all.components = components.data();
  all.n_components = components.size();
  return all;
}

}  // namespace

extern "C" const levin_plugin* levin_plugin_v0(const levin_host* host) {
  static const levin_plugin all = plugin_of_all(host);
  return &all;
}
