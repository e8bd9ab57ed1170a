// The checkpoints that the keywords and paths of ckpt_path select.
#include <algorithm>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/error.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

// Creates a checkpoint for each name in the folder.
void make_checkpoints(const json& names, const std::filesystem::path& folder) {
  for (const json& name : names) {
    ScriptedRun first;
    first.trainer["max_epochs"] = 1;
    first.callbacks[0].options["script"]["script"] = {
        {{"hook", "on_fit_end"}, {"do", "save"}, {"path", (folder / name.get<std::string>()).string()}}};
    const Observed made = run(first);
    if (made.error) throw core::Error(core::ErrorCode::operation_failed, name.get<std::string>() + ": " + *made.error);
  }
}

// Returns the reason why Levin, by decision, refuses what Lightning accepts.
std::string why_refused(const Case& c) {
  const std::string word = c.inputs.at("ckpt_path");
  if (word == "last" && c.inputs.at("fn") != "fit")
    return "weights that nobody trained are not evaluated in place of the last checkpoint's (docs/adr/0016)";
  return word == "hpc" ? "checkpoints have one set of names, and hpc is none of them (docs/adr/0016)" : "";
}

Outcome run_ckpt_path(const Case& c) {
  const TempDir folder;
  const json& present = c.inputs.at("checkpoints_present");
  make_checkpoints(present, folder.path());
  ScriptedRun request;
  request.calls = {c.inputs.at("fn")};
  request.trainer["max_epochs"] = 1;
  request.root = folder.path().string();
  request.ckpt_path = c.inputs.at("ckpt_path");
  if (std::find(present.begin(), present.end(), json(request.ckpt_path)) != present.end())
    request.ckpt_path = (folder.path() / request.ckpt_path).string();
  request.callbacks[0].options["script"] = {{"watch", {{"on_load_checkpoint", {"text"}}}}};
  const Observed seen = run(request);
  if (seen.error && !c.expected.value("error", false)) {
    Outcome refused = outcome_of(seen, {});
    refused.decided = why_refused(c);
    return refused;
  }
  const auto loaded = seen.hooks("cb", "on_load_checkpoint");
  if (loaded.empty()) return outcome_of(seen, {{"ckpt_path", nullptr}});
  const std::filesystem::path file = loaded[0].at("watch").at("text").get<std::string>();
  return outcome_of(seen, {{"ckpt_path", std::filesystem::relative(file, folder.path()).string()}});
}
const SuiteEntry ckpt_path("ckpt_path", &run_ckpt_path);

}  // namespace
}  // namespace conformance
