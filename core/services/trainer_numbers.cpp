#include <cmath>
#include <limits>
#include <map>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "core/services/speed_settings.hpp"

namespace levin::core {
namespace {

double batches(const TrainerParts& parts, uint32_t split) {
  return static_cast<double>(parts.loaders.most_batches(split));
}

// Returns the number of batches of the sanity check: num_sanity_val_steps of each loader, or all if it has fewer.
double sanity_val_batches(const TrainerParts& parts) {
  if (parts.plan.validation.num_sanity_val_steps == 0 || parts.plan.limits.val.off()) return 0;
  std::vector<std::optional<int64_t>> lengths;
  for (const int64_t limit : parts.loaders.most_limits(LEVIN_VAL)) {
    const int64_t n = sanity_batches(parts.plan.validation.num_sanity_val_steps, limit);
    lengths.push_back(n == unlimited ? std::nullopt : std::optional<int64_t>(n));
  }
  return static_cast<double>(combined_length(parts.loaders.mode(LEVIN_VAL), lengths).value_or(unlimited));
}

double stepping_batches(const TrainerParts& parts) {
  if (const auto n = FitLoop::estimated_stepping_batches(parts.plan, parts.loaders, parts.accumulation))
    return static_cast<double>(*n);
  const bool one_window = parts.plan.optimization.accumulate_grad_batches.size() == 1;
  if (parts.plan.duration.max_epochs < 0 && one_window) return std::numeric_limits<double>::infinity();
  throw Error(ErrorCode::option_missing,
              "the number of optimizer steps is not known: give trainer.max_steps, or max_epochs "
              "with data of known length and one number of accumulate_grad_batches");
}

using Getter = double (*)(const TrainerParts&);
const std::map<std::string, Getter>& getters() {
  static const std::map<std::string, Getter> table = {
      {"current_epoch", [](const TrainerParts& parts) { return static_cast<double>(parts.progress.current_epoch()); }},
      {"global_step", [](const TrainerParts& parts) { return static_cast<double>(parts.progress.global_step()); }},
      {"batch_idx", [](const TrainerParts& parts) { return static_cast<double>(parts.progress.batch_idx()); }},
      {"dataloader_idx",
       [](const TrainerParts& parts) { return static_cast<double>(parts.progress.place.dataloader_idx); }},
      {"num_dataloaders",
       [](const TrainerParts& parts) { return static_cast<double>(parts.progress.place.num_dataloaders); }},
      {"split_idx", [](const TrainerParts& parts) { return static_cast<double>(parts.progress.place.split_idx); }},
      {"num_splits", [](const TrainerParts& parts) { return static_cast<double>(parts.progress.place.num_splits); }},
      {"truncated_bptt_steps",
       [](const TrainerParts& parts) { return static_cast<double>(parts.plan.optimization.truncated_bptt_steps); }},
      {"resumed", [](const TrainerParts& parts) { return parts.progress.resumed() ? 1.0 : 0.0; }},
      {"total_batch_idx",
       [](const TrainerParts& parts) {
         return static_cast<double>(parts.progress.of(Counted::batch).total.ready - 1);
       }},
      {"max_epochs", [](const TrainerParts& parts) { return static_cast<double>(parts.plan.duration.max_epochs); }},
      {"max_steps", [](const TrainerParts& parts) { return static_cast<double>(parts.plan.duration.max_steps); }},
      // As in Lightning, the number is infinite if limit_train_batches is 0.
      {"num_training_batches",
       [](const TrainerParts& parts) {
         return parts.plan.limits.train.off() ? HUGE_VAL : batches(parts, LEVIN_TRAIN);
       }},
      {"num_val_batches", [](const TrainerParts& parts) { return batches(parts, LEVIN_VAL); }},
      {"num_test_batches", [](const TrainerParts& parts) { return batches(parts, LEVIN_TEST); }},
      {"num_predict_batches", [](const TrainerParts& parts) { return batches(parts, LEVIN_PREDICT); }},
      {"num_sanity_val_batches", &sanity_val_batches},
      {"num_loggers", [](const TrainerParts& parts) { return static_cast<double>(parts.num_loggers); }},
      {"validates", [](const TrainerParts& parts) { return parts.validation.enabled() ? 1.0 : 0.0; }},
      {"batches_that_stepped",
       [](const TrainerParts& parts) { return static_cast<double>(parts.progress.batches_that_stepped()); }},
      {"estimated_stepping_batches", &stepping_batches},
      {"accumulate_grad_batches",
       [](const TrainerParts& parts) { return static_cast<double>(parts.accumulation.batches()); }},
      {"verbosity", [](const TrainerParts& parts) { return static_cast<double>(parts.verbosity); }},
      {"log_every_n_steps",
       [](const TrainerParts& parts) { return static_cast<double>(parts.plan.logging.log_every_n_steps); }},
      {"check_val_every_n_epoch",
       [](const TrainerParts& parts) {
         return static_cast<double>(parts.plan.validation.check_val_every_n_epoch.value_or(0));
       }},
      {"val_check_interval",
       [](const TrainerParts& parts) {
         return parts.plan.validation.val_check_interval.seconds ? std::nan("")
                                                                 : parts.plan.validation.val_check_interval.value;
       }},
      {"fast_dev_run", [](const TrainerParts& parts) { return static_cast<double>(parts.plan.duration.fast_dev_run); }},
      {"sanity_checking",
       [](const TrainerParts& parts) { return parts.progress.place.stage == LEVIN_STAGE_SANITY ? 1.0 : 0.0; }},
      {"is_last_batch", [](const TrainerParts& parts) { return parts.progress.is_last_batch() ? 1.0 : 0.0; }},
      {"should_stop", [](const TrainerParts& parts) { return parts.progress.stop.asked() ? 1.0 : 0.0; }},
      {"interrupted", [](const TrainerParts&) { return interruption != 0 ? 1.0 : 0.0; }},
      {"should_update_logs",
       [](const TrainerParts& parts) {
         return parts.log.due(parts.progress.batches_that_stepped(), parts.progress.stop.asked()) ? 1.0 : 0.0;
       }},
      {"automatic_optimization",
       [](const TrainerParts& parts) { return parts.model.manual_optimization() ? 0.0 : 1.0; }},
      {"batch_size", [](const TrainerParts& parts) { return static_cast<double>(parts.loaders.batch_size()); }},
      {"train_rows", [](const TrainerParts& parts) { return static_cast<double>(parts.loaders.rows(LEVIN_TRAIN)); }},
      {"time_train_seconds", [](const TrainerParts& parts) { return parts.progress.train_seconds(); }},
  };
  return table;
}

}  // namespace

bool trainer_number(const TrainerParts& parts, const std::string& name, double& out) {
  const auto found = getters().find(name);
  if (found != getters().end()) {
    out = found->second(parts);
    return true;
  }
  if (const SpeedSetting* const setting = speed_setting(name)) {
    out = static_cast<double>(setting->get({parts.plan, parts.loaders}));
    return true;
  }
  if (name.find('.') == std::string::npos) return false;
  const auto count = parts.progress.count(name);  // last, because it builds the names of all counters
  if (count) out = static_cast<double>(*count);
  return count.has_value();
}

}  // namespace levin::core
