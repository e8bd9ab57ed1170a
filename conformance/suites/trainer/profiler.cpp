// The profiler's counts of model hooks and of actions of the loops.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

// "lm.on_fit_start" is a call of the model, "run_training_batch" an action of the host. A LightningModule's dataloader
// hooks correspond to calls of the model's own data.
int64_t calls_of(levin::core::Trainer& trainer, const std::string& name) {
  const bool of_model = name.compare(0, 3, "lm.") == 0;
  const bool of_data = of_model && name.find("_dataloader") != std::string::npos;
  const std::string who = of_data ? " data" : " " + trainer.assembly().components.model->instance();
  int64_t calls = 0;
  for (const auto& [key, sum] : trainer.profiler()->sums()) {
    const size_t space = key.first.find(' ');
    const bool mine = of_model ? space != std::string::npos && key.first.substr(space) == who : key.first == "host";
    if (mine && key.second == (of_model ? name.substr(3) : name)) calls += sum.calls;
  }
  return calls;
}

Outcome run_profiler(const Case& c) {
  ScriptedRun request;
  request.model = "recorded";
  request.callbacks.clear();
  request.trainer = c.inputs.at("trainer");
  request.trainer["profiler"] = c.inputs.at("profiler");
  request.data["train"] = {c.inputs.at("train_batches")};
  request.data["val"] = {c.inputs.at("val_batches")};
  json counts = json::object();
  request.inspect = [&](levin::core::Trainer& trainer) {
    for (const auto& [name, calls] : c.expected.at("call_counts").items()) counts[name] = calls_of(trainer, name);
  };
  const Observed seen = run(request);
  return outcome_of(seen, {{"call_counts", counts}});
}

const SuiteEntry profiler_actions("profiler", &run_profiler);

}  // namespace
}  // namespace conformance
