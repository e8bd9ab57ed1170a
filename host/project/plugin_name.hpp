// The names of a new plugin.
#pragma once
#include <string>

namespace levin::core {

struct PluginName {
  std::string id;          // "my_model": name of the component, the library and the sources
  std::string class_name;  // "MyModel"
};

// Reads "My-Model", "MyModel" or "my_model". kind: "model", the end of the class name. Throws Error{usage} for a name
// that no plugin can have; the message suggests what to do.
PluginName read_plugin_name(const std::string& written, const std::string& kind);

}  // namespace levin::core
