#include "host/engine/check/check_plugin.hpp"

#include <cstdio>
#include <filesystem>
#include <string>

#include "core/abi/plugin_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/schema.hpp"
#include "host/engine/check/check_process.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/common/report.hpp"
#include "host/engine/check/fake/fake_run.hpp"
#include "host/engine/check/rules/rules.hpp"
#include "sdk/include/levin/tasks.h"

namespace levin::core {
namespace {

// Prints the findings: line by line as they arrive, or as one JSON document at the end.
class CheckOutput {
 public:
  CheckOutput(const std::string& file, const PluginSchema& schema, bool as_json) : as_json_(as_json) {
    const std::string abi = std::to_string(schema.abi_major) + "." + std::to_string(schema.abi_minor);
    document_ = {{"file", file},
                 {"plugin", schema.id},
                 {"version", schema.version},
                 {"abi", abi},
                 {"torch", schema.torch},
                 {"rules", nlohmann::json::array()},
                 {"components", nlohmann::json::array()}};
    if (as_json_) return;
    std::printf("%s %s, ABI %s, %s\n", schema.id.c_str(), schema.version.c_str(), abi.c_str(),
                schema.torch == "none" ? "no LibTorch" : ("LibTorch " + schema.torch).c_str());
  }

  void component(const ComponentSchema& schema) {
    const char* kind = kind_name(schema.kind);
    document_["components"].push_back({{"kind", kind}, {"id", schema.id}, {"rules", nlohmann::json::array()}});
    if (!as_json_) std::printf("%s %s\n", kind, schema.id.c_str());
  }

  void add(const Finding& v) {
    ++counts_[static_cast<int>(v.result)];
    nlohmann::json& of = document_["components"].empty() ? document_ : document_["components"].back();
    of["rules"].push_back(v);
    if (as_json_) return;
    std::printf("  %2d %s %s%s%s\n", v.rule, name_of(v.result), v.what.c_str(), v.text.empty() ? "" : ": ",
                v.text.c_str());
    std::fflush(stdout);
  }

  void end() {
    const int pass = counts_[0], fail = counts_[1], skip = counts_[2];
    document_["hold"] = pass, document_["fail"] = fail, document_["skipped"] = skip;
    if (as_json_)
      std::printf("%s\n", document_.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    else
      std::printf("%d hold, %d fail, %d skipped\n", pass, fail, skip);
  }
  bool failed() const { return counts_[static_cast<int>(Result::fail)] > 0; }

 private:
  const bool as_json_;
  int counts_[3] = {0, 0, 0};  // by Result
  nlohmann::json document_;
};

// A folder for the output of runs and loggers, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "levin_check_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(ErrorCode::file_not_written, "cannot make a folder " + name + " for the runs of the check");
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
  if (subject.schema.kind == LEVIN_KIND_TASKS) return check_tasks(report, subject);
  if (subject.schema.kind == LEVIN_KIND_DATA && !check_data(report, subject)) return;
  if (subject.schema.kind == LEVIN_KIND_OPTIMIZER) check_optimizer(report, subject);
  if (subject.schema.kind == LEVIN_KIND_LOGGER) check_logger(report, subject);
  check_runs(report, subject);
}

// Checks for leaked tensor handles. PluginWatch records every handle passed between host and plugin; misuses have
// already failed the rule in which they happened.
void check_handles(Report& report, const PluginWatch& watch) {
  report.check(9, "tensor handles: every handle that it received is released",
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
  output.add({1, "the file passes all checks, loads, and matches its embedded description", Result::pass, ""});
  CheckProcess process;
  process.told = [&](const Finding& v) { output.add(v); };
  process.noise = [](const std::string& text) { std::fprintf(stderr, "%s", text.c_str()); };
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
