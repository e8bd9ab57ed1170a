#include "core/loops/stop_rule.hpp"

namespace levin::core {
namespace {

bool reached_max_steps(const RunPlan& plan, const StopQuestion& q) {
  return plan.max_steps >= 0 && q.global_step >= plan.max_steps;
}

}  // namespace

bool can_stop_early(const RunPlan& plan, const StopQuestion& q) {
  return q.epochs_processed >= plan.min_epochs && q.global_step >= plan.min_steps;
}

bool fit_is_done(const RunPlan& plan, const StopQuestion& q) {
  if (reached_max_steps(plan, q)) return true;
  if (plan.max_epochs >= 0 && q.epochs_processed >= plan.max_epochs) return true;
  return q.stop_asked && can_stop_early(plan, q);
}

bool reached_all_batches(const StopQuestion& q) { return q.data_ended || (q.batches && q.batches_done >= *q.batches); }

EpochAnswer epoch_is_done(const RunPlan& plan, const StopQuestion& q) {
  if (reached_max_steps(plan, q) || reached_all_batches(q) || q.skip_epoch) return {true, false};
  if (!q.stop_asked) return {false, false};
  const bool may = can_stop_early(plan, q);
  return {may, !may};
}

}  // namespace levin::core
