#include "conformance/harness/setting.hpp"

#include <ATen/Parallel.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>

#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/plugin_index.hpp"
#include "host/compose/component_source.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;

std::vector<nlohmann::json>& records() {
  static std::vector<nlohmann::json> lines;
  return lines;
}

int64_t& depth() {
  static int64_t value = 0;
  return value;
}

void sink(const char* line) { add_record(nlohmann::json::parse(line)); }

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

std::vector<nlohmann::json> take_records() {
  depth() = 0;
  return std::exchange(records(), {});
}

void deepen_records(int64_t by) { depth() += by; }

void add_record(nlohmann::json line) {
  if (depth() > 0 && line.contains("depth")) line["depth"] = line["depth"].get<int64_t>() + depth();
  records().push_back(std::move(line));
}

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

OutputCapture::OutputCapture() : file_(std::tmpfile()), before_(dup(STDOUT_FILENO)) {
  std::fflush(stdout);
  dup2(fileno(file_), STDOUT_FILENO);
}

OutputCapture::~OutputCapture() {
  if (before_ >= 0) take();
}

std::string OutputCapture::take() {
  std::fflush(stdout);
  dup2(before_, STDOUT_FILENO);
  close(before_);
  before_ = -1;
  std::string text;
  char buffer[4096];
  std::rewind(file_);
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file_)) > 0;) text.append(buffer, n);
  std::fclose(file_);
  return text;
}

}  // namespace conformance
