// The hooks that exist for callbacks, and the hook lists of older releases.
#include <algorithm>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

json sorted(json list) {
  std::sort(list.begin(), list.end());
  return list;
}

// Compares the choices of shell_command's option `hook`, in any order. on_checkpoint_durable exists in Levin only.
Outcome run_lambda_callback_hooks(const Case& c) {
  json accepted = json::array();
  for (const auto& option : plugins().find("shell_command", LEVIN_KIND_CALLBACK).component->options) {
    if (option.name != "hook") continue;
    for (const std::string& hook : option.choices)
      if (hook != "on_checkpoint_durable") accepted.push_back(hook);
  }
  Outcome out;
  out.expected = c.expected;
  (*out.expected)["accepted_hooks"] = sorted(c.expected.at("accepted_hooks"));
  out.seen = {{"accepted_hooks", sorted(accepted)}};
  return out;
}

std::string call_of(const std::string& list) {
  if (list.find("_predict") != std::string::npos) return "predict";
  if (list.find("_eval") != std::string::npos) return "validate";
  if (list.find("_fit") != std::string::npos || list.back() == '1') return "fit";
  return list.back() == '2' ? "validate" : list.back() == '3' ? "test" : "predict";
}

// Runs Levin's own order, for comparison with the order of the older release.
Outcome run_hook_order_legacy(const Case& c) {
  ScriptedRun request;
  const std::string list = c.inputs.at("list");
  request.calls = {call_of(list)};
  request.trainer = {{"max_epochs", 1}, {"limit_train_batches", 2}, {"limit_val_batches", 2}};
  request.model = "recorded";
  request.script["record"] = true;
  request.callbacks[0].options["script"] = {{"record", true}};
  const Observed seen = run(request);
  json called = json::array();
  for (const json& h : seen.hooks("")) {
    const std::string who = h.at("who"), hook = h.at("hook");
    called.push_back(who == "cb" ? "cb." + hook : hook);
  }
  return outcome_of(seen, {{"called", called}});
}

const SuiteEntry lambda_callback_hooks("lambda_callback_hooks", &run_lambda_callback_hooks);
const SuiteEntry hook_order_legacy("hook_order_legacy", &run_hook_order_legacy);

}  // namespace
}  // namespace conformance
