// The names that a new plugin gets.
#pragma once
#include <string>

namespace levin::core {

struct PluginName {
  std::string id;          // "my_model": of the component, the library and the sources
  std::string class_name;  // "MyModel"
};

// Reads "My-Model", "MyModel" or "my_model"; kind: "model", which the class name ends in. Throws Error{usage} for a
// name that no plugin can have, with what to do.
PluginName read_plugin_name(const std::string& written, const std::string& kind);

}  // namespace levin::core
