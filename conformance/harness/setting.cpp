#include "conformance/harness/setting.hpp"

#include <ATen/Parallel.h>
#include <stdlib.h>

#include <cstdio>

#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/plugin_source.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;

std::vector<nlohmann::json>& records() {
  static std::vector<nlohmann::json> lines;
  return lines;
}

void sink(const char* line) { records().push_back(nlohmann::json::parse(line)); }

struct Source : levin::core::ComponentSource {
  levin::core::PluginIndex index{{fs::path(LEVIN_CONFORMANCE_PLUGINS), levin::core::installed_plugin_dir()}, false};
  levin::core::PluginSource source{index};
  levin::core::FoundComponent find(const std::string& written, uint32_t kind) override {
    return source.find(written, kind);
  }
  std::vector<levin::core::FoundComponent> all(uint32_t kind) override { return source.all(kind); }
};

}  // namespace

void set_up_process() {
  char address[32];
  std::snprintf(address, sizeof address, "%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(&sink)));
  setenv("LEVIN_CONFORMANCE_SINK", address, 1);
  at::set_num_threads(1);
}

std::vector<nlohmann::json> take_records() { return std::exchange(records(), {}); }

levin::core::ComponentSource& plugins() {
  static Source source;
  return source;
}

TempDir::TempDir() {
  std::string name = (fs::temp_directory_path() / "levin_conformance_XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace conformance
