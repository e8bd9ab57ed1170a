#include "core/loops/stop_rule.hpp"

namespace levin::core {
namespace {

bool reached_max_steps(const RunPlan& plan, const StopInputs& in) {
  return plan.duration.max_steps >= 0 && in.global_step >= plan.duration.max_steps;
}

}  // namespace

bool can_stop_early(const RunPlan& plan, const StopInputs& in) {
  return in.epochs_processed >= plan.duration.min_epochs && in.global_step >= plan.duration.min_steps;
}

bool fit_is_done(const RunPlan& plan, const StopInputs& in) {
  if (reached_max_steps(plan, in)) return true;
  if (plan.duration.max_epochs >= 0 && in.epochs_processed >= plan.duration.max_epochs) return true;
  return in.stop_asked && can_stop_early(plan, in);
}

bool reached_all_batches(const StopInputs& in) {
  return in.data_ended || (in.batches && in.batches_done >= *in.batches);
}

EpochDecision epoch_is_done(const RunPlan& plan, const StopInputs& in) {
  if (reached_max_steps(plan, in) || reached_all_batches(in) || in.skip_epoch) return {true, false};
  if (!in.stop_asked) return {false, false};
  const bool may = can_stop_early(plan, in);
  return {may, !may};
}

}  // namespace levin::core
