// The error that refuses a plugin.
#pragma once
#include <string>

#include "core/base/error.hpp"

namespace levin::core {

// Throws Error{plugin}. `name` is the plugin as given by the user; `number` is the failed check of docs/plugin-files.md
// (P1 to P12).
[[noreturn]] inline void refuse_plugin(const std::string& name, int number, const std::string& why) {
  throw Error(ErrorKind::plugin, name + ": " + why + " (P" + std::to_string(number) + ")");
}

}  // namespace levin::core
