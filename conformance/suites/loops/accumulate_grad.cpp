#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

ScriptedRun accumulating_request(const json& inputs) {
  ScriptedRun request;
  request.model = "recorded";
  request.trainer = {{"limit_val_batches", 0}, {"max_epochs", inputs.at("max_epochs")}};
  if (inputs.contains("accumulate_grad_batches"))
    request.trainer["accumulate_grad_batches"] = inputs.at("accumulate_grad_batches");
  request.data = {{"train", {inputs.at("train_batches")}}};
  request.script["watch"] = {{"optimizer_zero_grad", json::array()},
                             {"on_after_backward", {"grad", "batch_idx"}},
                             {"optimizer_stepped", {"w"}},
                             {"on_fit_end", {"w"}}};
  if (inputs.contains("scheduling"))
    request.callbacks.push_back({"gradient_accumulation_scheduler",
                                 "gradient_accumulation_scheduler",
                                 {{"scheduling", inputs.at("scheduling")}}});
  return request;
}

Outcome run_accumulate(const Case& c) {
  const Observed seen = run(accumulating_request(c.inputs));
  json ops = json::array(), w, zeros = 0, steps = 0, by_epoch = json::array();
  for (const json& h : seen.hooks("lm")) {
    const std::string hook = h.at("hook");
    if (hook == "on_fit_end") w = h.at("watch").at("w");
    if (hook == "optimizer_zero_grad") {
      ops.push_back({"zero_grad", h.at("epoch"), h.at("batch_idx")});
      zeros = zeros.get<int>() + 1;
    }
    if (hook == "on_after_backward")
      ops.push_back({"backward", h.at("epoch"), h.at("watch").at("batch_idx"), h.at("watch").at("grad")});
    if (hook != "optimizer_stepped") continue;
    ops.push_back({"step", h.at("epoch"), h.at("batch_idx"), h.at("watch").at("w")});
    steps = steps.get<int>() + 1;
    const size_t epoch = h.at("epoch");
    while (by_epoch.size() <= epoch) by_epoch.push_back(0);
    by_epoch[epoch] = by_epoch[epoch].get<int>() + 1;
  }
  return outcome_of(seen, {{"ops", ops},
                           {"global_step", seen.final_state.value("global_step", json())},
                           {"n_zero_grad", zeros},
                           {"n_steps", steps},
                           {"w", w},
                           {"steps_per_epoch", by_epoch}});
}

const SuiteEntry accumulate_grad("accumulate_grad", &run_accumulate);

}  // namespace
}  // namespace conformance
