// The rule inside the early stopping callback, value by value.
#include <cmath>
#include <limits>

#include "callbacks/early_stopping/stopping_rule.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/registry.hpp"
#include "conformance/suites/callbacks/stopping_reason.hpp"

namespace conformance {
namespace {

using namespace levin::early_stopping;

StoppingOptions options_of(const json& o) {
  StoppingOptions out;
  out.min_delta = o.value("min_delta", out.min_delta);
  out.patience = o.value("patience", out.patience);
  out.maximize = o.value("mode", "min") == "max";
  out.check_finite = o.value("check_finite", out.check_finite);
  if (o.contains("stopping_threshold") && !o["stopping_threshold"].is_null())
    out.stopping_threshold = o["stopping_threshold"];
  if (o.contains("divergence_threshold") && !o["divergence_threshold"].is_null())
    out.divergence_threshold = o["divergence_threshold"];
  return out;
}

Outcome run_unit(const Case& c) {
  StoppingRule rule(options_of(c.inputs.at("options")));
  Outcome out;
  out.seen = {{"stop_index", nullptr}, {"trace", json::array()}};
  const json& values = c.inputs.at("monitor_sequence");
  for (size_t i = 0; i < values.size() && out.seen["stop_index"].is_null(); ++i) {
    const bool stop = rule.check(number_from(values[i]));
    const StoppingState& state = rule.state();
    out.seen["trace"].push_back({i, stop, state.wait_count, number_to(state.best_score),
                                 stopping_reason_name(static_cast<int32_t>(state.reason))});
    if (stop) out.seen["stop_index"] = i;
  }
  return out;
}

const SuiteEntry early_stopping_unit("early_stopping_unit", &run_unit);

}  // namespace
}  // namespace conformance
