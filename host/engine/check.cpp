#include "host/engine/check.hpp"

#include <cstdio>

#include "core/base/error.hpp"
#include "core/trainer/plugin_set.hpp"

namespace levin::core {

int check_plugin(const std::string& file, bool trust) {
  Console console;
  PluginSet plugins(console, trust);
  plugins.load(file);
  std::printf("%s: loads\n", file.c_str());
  return 0;
}

}  // namespace levin::core
