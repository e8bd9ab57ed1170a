#include "host/engine/check/check_plugin.hpp"

#include <filesystem>

#include "core/abi/plugin_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/engine/check/check_process.hpp"
#include "host/engine/check/common/check_output.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/fake/fake_run.hpp"
#include "host/engine/check/rules/data_rules.hpp"
#include "host/engine/check/rules/logger_rules.hpp"
#include "host/engine/check/rules/model_rules.hpp"
#include "host/engine/check/rules/optimizer_rules.hpp"
#include "host/engine/check/rules/run_rules.hpp"

namespace levin::core {
namespace {

// A folder for the output of runs and loggers, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "levin_check_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(ErrorKind::run, "cannot make a folder " + name + " for the runs of the check");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void check_kind(Report& report, const Subject& subject) {
  if (subject.schema.kind == LEVIN_KIND_MODEL) return check_model(report, subject);
  if (!check_creation(report, subject)) return;
  check_state(report, subject);
  if (subject.schema.kind == LEVIN_KIND_DATA && !check_data(report, subject)) return;
  if (subject.schema.kind == LEVIN_KIND_OPTIMIZER) check_optimizer(report, subject);
  if (subject.schema.kind == LEVIN_KIND_LOGGER) check_logger(report, subject);
  check_runs(report, subject);
}

// Checks for leaked tensor handles. PluginWatch records every handle passed between host and plugin; misuses have
// already failed the rule in which they happened.
void check_handles(Report& report, const PluginWatch& watch) {
  report.check(9, "tensor handles: each that it was handed over is released",
               [&] { return join(watch.leaks(), "; "); });
}

void check_component(const CheckProcess& process, Subject subject) {
  CheckProcess own = process;
  own.rules = [&](Report& report, const CallRecorder& calls) {
    PluginWatch watch;
    if (subject.torch == "none") watch.portable(std::filesystem::path(subject.file).filename().string());
    subject.calls = &calls;
    check_kind(report, subject);
    check_handles(report, watch);
  };
  own.run();
}

}  // namespace

int check_plugin(const nlohmann::json& request) {
  const std::string file = request.at("file");
  const bool trust = request.at("trust");
  Console console;
  PluginSet plugins(console, trust, fake_services());
  const PluginSchema& schema = plugins.load(file).schema;
  const Scratch scratch;
  CheckOutput output(file, schema, request.at("json"));
  output.verdict({1, "is found sound, loads, and describes itself as its file does", Result::pass, ""});
  CheckProcess process;
  process.told = [&](const Finding& v) { output.verdict(v); };
  process.noise = [&](const std::string& text) { output.noise(text); };
  process.seconds = request.at("seconds");
  for (const ComponentSchema& component : schema.components) {
    output.component(component);
    const nlohmann::json& given = request.at("options");
    check_component(process, {plugins, file, component, options_of(component, given), nullptr, schema.torch, trust,
                              scratch.path(), nullptr, given});
  }
  output.end();
  return output.failed() ? static_cast<int>(ErrorKind::plugin) : 0;
}

}  // namespace levin::core
