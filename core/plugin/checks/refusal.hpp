// The words that every refused plugin is refused with.
#pragma once
#include <string>

#include "core/base/error.hpp"

namespace levin::core {

// Throws Error{plugin}. name: the plugin's, as the user gave it; number: the check of docs/plugin-files.md, P1 to P12.
[[noreturn]] inline void refuse_plugin(const std::string& name, int number, const std::string& why) {
  throw Error(ErrorKind::plugin, name + ": " + why + " (P" + std::to_string(number) + ")");
}

}  // namespace levin::core
