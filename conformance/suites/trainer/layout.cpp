// The paths of a run's files. Levin's folder of runs is levin_logs; Lightning's is lightning_logs.
#include <fnmatch.h>

#include <algorithm>

#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;

// Further files that Levin writes to every run's folder: see docs/architecture.md.
constexpr const char* own_files[] = {"config.json", "log.txt", "code.json",
                                     "code.diff",   ".lock",   "checkpoints/index.json"};

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

// Returns the files written by the run, sorted.
std::vector<std::string> files_written(const fs::path& root) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || is_own_file(entry.path(), root)) continue;
    out.push_back(as_lightning_has_it(fs::relative(entry.path(), root).string()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Replaces each file that matches an expected pattern with the pattern.
json by_pattern(std::vector<std::string> files, const json& expected) {
  for (std::string& file : files)
    for (const json& pattern : expected)
      if (::fnmatch(pattern.get<std::string>().c_str(), file.c_str(), 0) == 0) file = pattern;
  return files;
}

std::string checkpoint_dir(const fs::path& root) {
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".ckpt") continue;
    return as_lightning_has_it(fs::relative(entry.path().parent_path(), root).string());
  }
  return "";
}

// Returns "" if the files differ from Lightning's in more than the decided deviation.
std::string why_other_files(const Case& c, std::vector<std::string> files) {
  const json expected = c.expected.at("files");
  if (c.inputs.at("logger").is_null()) {
    const std::string run = "lightning_logs/version_0/";
    for (std::string& file : files)
      if (file.compare(0, run.size(), run) == 0) file.erase(0, run.size());
    if (by_pattern(files, expected) != expected) return "";
    return "every run has a folder of its own, also without a logger (docs/adr/0016)";
  }
  if (c.inputs.at("logger").at("name") != "CSVLogger") return "";
  const auto is_options = [](const std::string& file) { return fs::path(file).filename() == "hparams.yaml"; };
  files.erase(std::remove_if(files.begin(), files.end(), is_options), files.end());
  if (by_pattern(files, expected) != expected) return "";
  return "every run has hyper-parameters, which are its options (docs/adr/0016)";
}

std::string why_other_folder(const Case& c, const std::string& seen) {
  if (!c.inputs.at("logger").is_null() ||
      "lightning_logs/version_0/" + c.expected.at("checkpoint_dir").get<std::string>() != seen)
    return "";
  return "every run has a folder of its own, also without a logger (docs/adr/0016)";
}

Outcome run_layout(const Case& c) {
  Outcome out;
  const json& logger = c.inputs.at("logger");
  const json version = logger.is_null() ? json() : logger.value("version", json());
  if (version.is_string() && is_number_text(version)) {
    out.not_applicable = "options are texts: the versions 7 and \"7\" are the same, version_7";
    return out;
  }
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  const std::string component = logger.is_null() ? "" : component_id(logger.at("name"));
  if (!logger.is_null()) request.loggers = {{component, component, {}}};
  if (!version.is_null()) request.trainer["log_version"] = version;
  const Observed seen = run(request);
  if (c.inputs.at("observe") == "files") {
    const auto files = files_written(seen.root);
    out = outcome_of(seen, {{"files", by_pattern(files, c.expected.value("files", json::array()))}});
    if (!seen.error && c.expected.contains("files")) out.decided = why_other_files(c, files);
    return out;
  }
  const std::string dir = checkpoint_dir(seen.root);
  out = outcome_of(seen, {{"checkpoint_dir", dir}});
  if (!seen.error && c.expected.contains("checkpoint_dir")) out.decided = why_other_folder(c, dir);
  return out;
}

const SuiteEntry layout("layout", &run_layout);

}  // namespace
}  // namespace conformance
