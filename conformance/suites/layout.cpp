// Where a run's files lie. Levin's folder of runs is levin_logs, where Lightning has lightning_logs.
#include <algorithm>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

namespace fs = std::filesystem;

std::string checkpoint_dir(const fs::path& root) {
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".ckpt") continue;
    std::string dir = fs::relative(entry.path().parent_path(), root).string();
    const size_t at = dir.find("levin_logs");
    return at == std::string::npos ? dir : dir.replace(at, 10, "lightning_logs");
  }
  return "";
}

Outcome run_layout(const Case& c) {
  Outcome out;
  if (c.inputs.at("logger").is_null()) {
    out.not_applicable = "every run has a folder of its own, with its options and its log, also without a logger";
    return out;
  }
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.data = {{"train", {c.inputs.at("train_batches")}}};
  request.loggers = {{"tensorboard", "tensorboard", {}}};
  const json version = c.inputs["logger"].value("version", json());
  if (!version.is_null()) request.trainer["log_version"] = version;
  const Observed seen = run(request);
  return outcome_of(seen, {{"checkpoint_dir", checkpoint_dir(seen.root)}});
}

Outcome run_summary(const Case&) {
  Outcome out;
  out.not_applicable =
      "the summary has no sizes of inputs and outputs: layers of a compiled network have no forward hooks";
  return out;
}

const SuiteEntry layout("layout", &run_layout);
const SuiteEntry summary("model_summary", &run_summary);

}  // namespace
}  // namespace conformance
