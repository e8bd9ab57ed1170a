// Where a run's files lie. Levin's folder of runs is levin_logs, where Lightning has lightning_logs.
#include <fnmatch.h>

#include <algorithm>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;

// What Levin writes into every run's folder besides: docs/architecture.md.
constexpr const char* own_files[] = {"config.json", "log.txt", "checkpoints/index.json"};

bool is_own_file(const fs::path& path, const fs::path& root) {
  const std::string text = fs::relative(path, root).string();
  return std::any_of(std::begin(own_files), std::end(own_files), [&](const char* file) {
    return ::fnmatch((std::string("levin_logs/*/") + file).c_str(), text.c_str(), FNM_PATHNAME) == 0;
  });
}

std::string as_lightning_has_it(std::string path) {
  const size_t at = path.find("levin_logs");
  return at == std::string::npos ? path : path.replace(at, 10, "lightning_logs");
}

// All that the run wrote, sorted; a file that an expected pattern means goes by the pattern.
json files_written(const fs::path& root, const json& expected) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || is_own_file(entry.path(), root)) continue;
    std::string file = as_lightning_has_it(fs::relative(entry.path(), root).string());
    for (const json& pattern : expected)
      if (::fnmatch(pattern.get<std::string>().c_str(), file.c_str(), 0) == 0) file = pattern;
    out.push_back(file);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string checkpoint_dir(const fs::path& root) {
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".ckpt") continue;
    return as_lightning_has_it(fs::relative(entry.path().parent_path(), root).string());
  }
  return "";
}

Outcome run_layout(const Case& c) {
  Outcome out;
  if (c.inputs.at("logger").is_null()) {
    out.not_applicable = "every run has a folder of its own, with its options and its log, also without a logger";
    return out;
  }
  const json& logger = c.inputs["logger"];
  const json version = logger.value("version", json());
  if (version.is_string() && is_number_text(version)) {
    out.not_applicable = "options are texts: the versions 7 and \"7\" are the same, version_7";
    return out;
  }
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  const std::string component = component_id(logger.at("name"));
  request.loggers = {{component, component, {}}};
  if (!version.is_null()) request.trainer["log_version"] = version;
  const Observed seen = run(request);
  if (c.inputs.at("observe") == "files")
    return outcome_of(seen, {{"files", files_written(seen.root, c.expected.value("files", json::array()))}});
  return outcome_of(seen, {{"checkpoint_dir", checkpoint_dir(seen.root)}});
}

const SuiteEntry layout("layout", &run_layout);

}  // namespace
}  // namespace conformance
