// The learning-rate finder: its rules, and a whole range test.
#include "callbacks/learning_rate_finder/range_test.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/file.hpp"

namespace conformance {
namespace {

using namespace levin::learning_rate_finder;

json schedule_of(const json& in) {
  RangeTest test;
  test.min_lr = in.at("min_lr");
  test.max_lr = in.at("max_lr");
  test.steps = in.at("num_training");
  test.exponential = in.at("mode") == "exponential";
  json lrs = json::array();
  for (int64_t i = 0; i < test.steps; ++i) lrs.push_back(lr_of(test, i));
  return {{"lrs", lrs}};
}

Outcome run_rule(const Case& c) {
  const json& in = c.inputs;
  Outcome out;
  if (in.at("question") == "schedule") {
    out.seen = schedule_of(in);
    return out;
  }
  std::vector<double> losses;
  for (const json& loss : in.at("loss")) losses.push_back(number_from(loss));
  const auto lrs = in.at("lr").get<std::vector<double>>();
  const auto best = steepest(lrs, losses, in.at("skip_begin"), in.at("skip_end"));
  out.seen = {{"optimal_idx", best ? json(*best) : json()}, {"suggestion", best ? json(lrs[*best]) : json()}};
  return out;
}

Outcome run_lr_finder(const Case& c) {
  const json& in = c.inputs;
  ScriptedRun request;
  request.calls = {"tune"};
  request.trainer = in.at("trainer");
  request.datamodule = true;
  request.data = {{"train", {in.at("train_len")}}};
  request.model = "tuned";
  request.settings = {{"model.target", in.at("loss").at("squared_distance_to")}, {"model.lr", 0.1}};
  request.callbacks = {{"cb", "scripted_callback", {}},
                       {"learning_rate_finder",
                        "learning_rate_finder",
                        {{"min_lr", in.at("min_lr")},
                         {"max_lr", in.at("max_lr")},
                         {"num_training_steps", in.at("num_training")},
                         {"mode", in.at("mode")},
                         {"early_stop_threshold", in.at("early_stop_threshold")}}}};
  const Observed seen = run(request);
  if (seen.error) return outcome_of(seen, json::object());
  const auto dir = seen.root / "levin_logs" / "version_0";
  const json found = json::parse(levin::core::read_file(dir / "lr_find.json"));
  const json config = json::parse(levin::core::read_file(dir / "config.json"));
  json w;
  for (const json& line : seen.records)
    if (line.contains("parameters")) w = line["parameters"].at("w");
  return outcome_of(seen, {{"n_points", found.at("lr").size()},
                           {"lr", found.at("lr")},
                           {"loss_smoothed", numbers_to(found.at("loss"))},
                           {"suggestion", found.at("suggestion")},
                           {"w_restored", w},
                           {"global_step_after", seen.final_state.value("global_step", json())},
                           {"lr_after", config.at("model").at("options").at("lr")}});
}

const SuiteEntry rule_suite("lr_finder_rule", &run_rule);
const SuiteEntry finder("lr_finder", &run_lr_finder);

}  // namespace
}  // namespace conformance
