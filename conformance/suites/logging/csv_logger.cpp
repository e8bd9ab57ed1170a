// The CSV logger, driven directly and in a fit. Levin's folder of runs is levin_logs; Lightning's is lightning_logs.
#include <dlfcn.h>

#include <algorithm>
#include <sstream>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/run_folder/run_folder.hpp"
#include "levin/testing.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using levin::core::RunFolder;

json text_of(const fs::path& file) { return fs::exists(file) ? json(levin::core::read_file(file)) : json(); }

const levin_component& csv_component(const levin_host* host) {
  const std::string file = plugins().find("csv", LEVIN_KIND_LOGGER).file;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw levin::core::Error(levin::core::ErrorCode::plugin_does_not_load, ::dlerror());
  const auto entry = reinterpret_cast<levin_plugin_fn>(::dlsym(library, LEVIN_ENTRY_NAME));
  return levin::testing::find_component(entry(host), "csv");
}

RunFolder folder_of(const json& in, const fs::path& root) {
  levin::core::RunName name;
  name.folder = in.at("name").is_null() ? "" : in["name"].get<std::string>();
  const json& version = in.at("version");
  if (!version.is_null()) name.version = version.is_string() ? version.get<std::string>() : version.dump();
  return RunFolder::make(root, name);
}

// Levin's metrics are real numbers, so a table cannot show an integer type.
bool has_integers(const json& calls) {
  for (const json& call : calls)
    for (const auto& [name, value] : call[0].items())
      if (value.is_number_integer() && name != "epoch") return true;
  return false;
}

Outcome run_csv(const Case& c) {
  const TempDir root;
  for (const json& dir : c.inputs.at("existing_dirs")) fs::create_directories(root.path() / dir.get<std::string>());
  Outcome out;
  const json& calls = c.inputs.at("log_metrics_calls");
  if (has_integers(calls)) {
    out.not_applicable = "logged values are real numbers: an integer is written with its point";
    return out;
  }
  if (c.inputs.at("version").is_string() && is_number_text(c.inputs["version"])) {
    out.not_applicable = "options are texts: the versions 0 and \"0\" are the same, version_0";
    return out;
  }
  const RunFolder folder = folder_of(c.inputs, root.path());
  out.seen["log_dir"] = fs::relative(folder.path(), root.path()).string();
  if (c.inputs.at("question") == "log_dir") return out;
  levin::testing::FakeHost host;
  levin::testing::Options options;
  options.set({"prefix", c.inputs.at("prefix").get<std::string>()});
  options.set({"flush_logs_every_n_steps", c.inputs.at("flush_logs_every_n_steps").get<int64_t>()});
  levin::testing::Component logger(host, csv_component(host.raw()), options);
  logger.begin(folder.path().string());
  for (const json& call : calls)
    logger.metrics(call[1].is_null() ? -1 : call[1].get<int64_t>(), call[0].get<std::map<std::string, double>>());
  const fs::path file = folder.path() / "metrics.csv";
  out.seen["file_before_finalize"] = text_of(file);
  logger.finalize();
  out.seen["metrics.csv"] = text_of(file);
  out.seen["path"] = fs::relative(file, root.path()).string();
  return out;
}

std::string sorted_lines(const std::string& text, const json& wanted) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (wanted.contains(line.substr(0, line.find(':')))) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// Returns the options of the model from hparams.yaml, which has every option of the run. The order is not compared.
std::string model_options(const std::string& yaml) {
  const size_t model = yaml.find("\nmodel:"), options = yaml.find("  options:", model);
  const size_t end = std::min(yaml.find("\nplugin_dirs:", options), yaml.find("\norigins:", options));
  return model == std::string::npos || options == std::string::npos ? "" : yaml.substr(options, end - options);
}

Outcome run_fit(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.datamodule = true;
  request.data = {{"train", {c.inputs.at("train_batches")}}, {"val", {c.inputs.at("val_batches")}}};
  request.model = "scalar_with_hparams";
  request.add_logs(c.inputs.at("logs"));
  for (const auto& [name, value] : c.inputs.at("hparams").items()) request.settings.push_back({"model." + name, value});
  request.loggers = {{"csv", "csv", {}}};
  const Observed seen = run(request);
  if (seen.error) return outcome_of(seen, json::object());
  const fs::path dir = seen.root / "levin_logs" / "version_0";
  Outcome out;
  out.seen = {{"log_dir", "lightning_logs/" + dir.filename().string()},
              {"metrics.csv", text_of(dir / "metrics.csv")},
              {"hparams.yaml", sorted_lines(model_options(text_of(dir / "hparams.yaml")), c.inputs.at("hparams"))}};
  out.expected = c.expected;
  (*out.expected)["hparams.yaml"] = sorted_lines(c.expected.at("hparams.yaml"), c.inputs.at("hparams"));
  return out;
}

const SuiteEntry csv("csv_logger", &run_csv);
const SuiteEntry fit("csv_logger_fit", &run_fit);

}  // namespace
}  // namespace conformance
