#include "core/loops/fit_rules.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {
namespace {

bool reached_max_steps(const RunPlan& plan, const StopInputs& in) {
  return plan.duration.max_steps >= 0 && in.global_step >= plan.duration.max_steps;
}

}  // namespace

std::optional<int64_t> val_check_batch(const RunPlan& plan, std::optional<int64_t> batches_per_epoch) {
  const ValCheckInterval& interval = plan.validation.val_check_interval;
  if (interval.seconds) return std::nullopt;
  if (!interval.fraction) {
    const auto every = static_cast<int64_t>(std::min(interval.value, 9e18));
    if (every < 1)
      throw Error(ErrorCode::batches_do_not_fit,
                  "trainer.val_check_interval=0: give at least 1 batch, or limit_val_batches=0 for no validation");
    if (plan.validation.check_val_every_n_epoch && batches_per_epoch && every > *batches_per_epoch)
      throw Error(ErrorCode::batches_do_not_fit,
                  "trainer.val_check_interval=" + std::to_string(every) + " is more than the " +
                      std::to_string(*batches_per_epoch) +
                      " batches of an epoch; give at most that, or check_val_every_n_epoch=null to count over epochs");
    return every;
  }
  if (batches_per_epoch)
    return std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(*batches_per_epoch) * interval.value));
  if (interval.value == 1.0) return std::nullopt;
  throw Error(ErrorCode::batches_do_not_fit,
              "trainer.val_check_interval=" + show(interval.value) +
                  ": the length of the data is unknown; give 1.0 or a number of batches");
}

std::string val_check_remark(const RunPlan& plan, int64_t batches) {
  const ValCheckInterval& interval = plan.validation.val_check_interval;
  if (interval.seconds || !interval.fraction || interval.value >= 1 || interval.value <= 0 || batches < 1) return "";
  const int64_t every = *val_check_batch(plan, batches), validations = batches / every;
  const bool last = batches % every == 0;
  if (last && static_cast<double>(validations) <= 1 / interval.value + 1e-9) return "";
  return "trainer.val_check_interval=" + show(interval.value) + " of the " + std::to_string(batches) +
         " batches of an epoch is a validation after each " + (every == 1 ? "" : std::to_string(every) + " ") +
         (every == 1 ? "batch" : "batches") + (last ? "" : ", and none after the last one") +
         "; give a number of batches to choose another";
}

bool validates_in_epoch(const RunPlan& plan, int64_t epoch) {
  return !plan.validation.check_val_every_n_epoch || (epoch + 1) % *plan.validation.check_val_every_n_epoch == 0;
}

bool validates_now(const RunPlan& plan, std::optional<int64_t> check_batch, const ValidationInputs& in) {
  const bool by_time = plan.validation.val_check_interval.seconds.has_value();
  if (!validates_in_epoch(plan, in.epoch)) return false;
  if (in.is_last_batch && !check_batch && !by_time) return true;
  if (in.stopping) return true;
  if (by_time) return in.seconds_since_last >= *plan.validation.val_check_interval.seconds;
  if (!check_batch) return in.limit_train ? (in.batch_idx + 1) % *in.limit_train == 0 : in.is_last_batch;
  const int64_t done = (plan.validation.check_val_every_n_epoch ? in.batch_idx : in.total_batch_idx) + 1;
  return done % *check_batch == 0;
}

bool can_stop_early(const RunPlan& plan, const StopInputs& in) {
  return in.epochs_processed >= plan.duration.min_epochs && in.global_step >= plan.duration.min_steps;
}

bool epoch_is_allowed(const RunPlan& plan, int64_t epoch) {
  return plan.duration.max_epochs < 0 || epoch < plan.duration.max_epochs;
}

bool fit_is_done(const RunPlan& plan, const StopInputs& in) {
  if (reached_max_steps(plan, in) || !epoch_is_allowed(plan, in.epochs_processed)) return true;
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
