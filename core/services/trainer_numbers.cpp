#include <cmath>
#include <limits>
#include <map>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

double batches(const TrainerParts& p, uint32_t split) { return static_cast<double>(p.loaders.most_batches(split)); }

// Returns the number of batches of the sanity check: num_sanity_val_steps of each loader, or all if it has fewer.
double sanity_val_batches(const TrainerParts& p) {
  if (p.plan.validation.num_sanity_val_steps == 0 || p.plan.limits.val.off()) return 0;
  std::vector<std::optional<int64_t>> lengths;
  for (const int64_t limit : p.loaders.most_limits(LEVIN_VAL)) {
    const int64_t n = sanity_batches(p.plan.validation.num_sanity_val_steps, limit);
    lengths.push_back(n == unlimited ? std::nullopt : std::optional<int64_t>(n));
  }
  return static_cast<double>(combined_length(p.loaders.mode(LEVIN_VAL), lengths).value_or(unlimited));
}

double stepping_batches(const TrainerParts& p) {
  if (const auto n = FitLoop::estimated_stepping_batches(p.plan, p.loaders, p.accumulation))
    return static_cast<double>(*n);
  const bool one_window = p.plan.optimization.accumulate_grad_batches.size() == 1;
  if (p.plan.duration.max_epochs < 0 && one_window) return std::numeric_limits<double>::infinity();
  throw Error(ErrorKind::usage,
              "the number of optimizer steps is not known: give trainer.max_steps, or max_epochs "
              "with data of known length and one number of accumulate_grad_batches");
}

using Getter = double (*)(const TrainerParts&);
const std::map<std::string, Getter>& getters() {
  static const std::map<std::string, Getter> table = {
      {"current_epoch", [](const TrainerParts& p) { return static_cast<double>(p.progress.current_epoch()); }},
      {"global_step", [](const TrainerParts& p) { return static_cast<double>(p.progress.global_step()); }},
      {"batch_idx", [](const TrainerParts& p) { return static_cast<double>(p.progress.batch_idx()); }},
      {"dataloader_idx", [](const TrainerParts& p) { return static_cast<double>(p.progress.place.dataloader_idx); }},
      {"num_dataloaders", [](const TrainerParts& p) { return static_cast<double>(p.progress.place.num_dataloaders); }},
      {"split_idx", [](const TrainerParts& p) { return static_cast<double>(p.progress.place.split_idx); }},
      {"num_splits", [](const TrainerParts& p) { return static_cast<double>(p.progress.place.num_splits); }},
      {"truncated_bptt_steps",
       [](const TrainerParts& p) { return static_cast<double>(p.plan.optimization.truncated_bptt_steps); }},
      {"resumed", [](const TrainerParts& p) { return p.progress.resumed() ? 1.0 : 0.0; }},
      {"total_batch_idx",
       [](const TrainerParts& p) { return static_cast<double>(p.progress.of(Counted::batch).total.ready - 1); }},
      {"max_epochs", [](const TrainerParts& p) { return static_cast<double>(p.plan.duration.max_epochs); }},
      {"max_steps", [](const TrainerParts& p) { return static_cast<double>(p.plan.duration.max_steps); }},
      // As in Lightning, the number is infinite if limit_train_batches is 0.
      {"num_training_batches",
       [](const TrainerParts& p) { return p.plan.limits.train.off() ? HUGE_VAL : batches(p, LEVIN_TRAIN); }},
      {"num_val_batches", [](const TrainerParts& p) { return batches(p, LEVIN_VAL); }},
      {"num_test_batches", [](const TrainerParts& p) { return batches(p, LEVIN_TEST); }},
      {"num_predict_batches", [](const TrainerParts& p) { return batches(p, LEVIN_PREDICT); }},
      {"num_sanity_val_batches", &sanity_val_batches},
      {"num_loggers", [](const TrainerParts& p) { return static_cast<double>(p.num_loggers); }},
      {"validates", [](const TrainerParts& p) { return p.validation.enabled() ? 1.0 : 0.0; }},
      {"batches_that_stepped",
       [](const TrainerParts& p) { return static_cast<double>(p.progress.batches_that_stepped()); }},
      {"estimated_stepping_batches", &stepping_batches},
      {"accumulate_grad_batches", [](const TrainerParts& p) { return static_cast<double>(p.accumulation.batches()); }},
      {"verbosity", [](const TrainerParts& p) { return static_cast<double>(p.verbosity); }},
      {"log_every_n_steps",
       [](const TrainerParts& p) { return static_cast<double>(p.plan.logging.log_every_n_steps); }},
      {"check_val_every_n_epoch",
       [](const TrainerParts& p) {
         return static_cast<double>(p.plan.validation.check_val_every_n_epoch.value_or(0));
       }},
      {"val_check_interval",
       [](const TrainerParts& p) {
         return p.plan.validation.val_check_interval.seconds ? std::nan("")
                                                             : p.plan.validation.val_check_interval.value;
       }},
      {"fast_dev_run", [](const TrainerParts& p) { return static_cast<double>(p.plan.duration.fast_dev_run); }},
      {"sanity_checking",
       [](const TrainerParts& p) { return p.progress.place.stage == LEVIN_STAGE_SANITY ? 1.0 : 0.0; }},
      {"is_last_batch", [](const TrainerParts& p) { return p.progress.is_last_batch() ? 1.0 : 0.0; }},
      {"should_stop", [](const TrainerParts& p) { return p.progress.stop.asked() ? 1.0 : 0.0; }},
      {"should_update_logs",
       [](const TrainerParts& p) {
         return p.log.due(p.progress.batches_that_stepped(), p.progress.stop.asked()) ? 1.0 : 0.0;
       }},
      {"automatic_optimization", [](const TrainerParts& p) { return p.model.manual_optimization() ? 0.0 : 1.0; }},
      {"batch_size", [](const TrainerParts& p) { return static_cast<double>(p.loaders.batch_size()); }},
      {"train_rows", [](const TrainerParts& p) { return static_cast<double>(p.loaders.rows(LEVIN_TRAIN)); }},
      {"time_train_seconds", [](const TrainerParts& p) { return p.progress.train_seconds(); }},
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
  if (name.find('.') == std::string::npos) return false;
  const auto count = parts.progress.count(name);  // last, because it builds the names of all counters
  if (count) out = static_cast<double>(*count);
  return count.has_value();
}

}  // namespace levin::core
