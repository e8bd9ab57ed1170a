// "levin.trial/1": training steps after which the state of the run is restored.
#include "core/abi/failure.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "core/services/trial_steps.hpp"

namespace levin::core {
namespace {

TrialParts& trial_parts(levin_run* run) { return parts_of(run, &levin_run::trial); }

TrialSteps& current(levin_run* run) {
  if (!trial_parts(run).current) throw Error(ErrorCode::call_invalid, "no trial has begun");
  return *trial_parts(run).current;
}

// Throws Error{usage} while an epoch is running, because its loaders must not change.
void refuse_within_epoch(const TrialParts& parts, const char* what) {
  if (!parts.context.progress.epoch_runs()) return;
  throw Error(ErrorCode::call_invalid,
              std::string(what) + " works in on_fit_start, on_train_start or between epochs, not while an epoch runs");
}

void begin(levin_run* run) {
  TrialParts& parts = trial_parts(run);
  if (parts.current) throw Error(ErrorCode::call_invalid, "a trial runs already");
  refuse_within_epoch(parts, "a trial");
  parts.current = std::make_unique<TrialSteps>(*run, parts.context, parts.optimizers, parts.snapshots);
}

void set_batch_size(TrialParts& parts, int64_t rows) {
  if (parts.current) return parts.current->set_batch_size(rows);
  refuse_within_epoch(parts, "set_batch_size");
  parts.context.loaders.set_batch_size(rows);
}

levin_trial make_trial_table() {
  levin_trial t{};
  t.size = sizeof t;
  t.begin = [](levin_run* run) { return serve([&] { begin(run); }); };
  t.step = [](levin_run* run, int64_t n, double* loss) {
    return serve([&]() -> levin_status {
      if (current(run).step(n, *loss)) return LEVIN_OK;
      return failed_service("out of memory", LEVIN_E_MEMORY);
    });
  };
  t.set_batch_size = [](levin_run* run, int64_t rows) {
    return serve([&] { set_batch_size(trial_parts(run), rows); });
  };
  t.end = [](levin_run* run) {
    return serve([&] {
      current(run);  // throws if there is no trial
      const std::unique_ptr<TrialSteps> ended = std::move(trial_parts(run).current);
      ended->end();
    });
  };
  return t;
}

}  // namespace

const levin_trial* trial_service() {
  static const levin_trial table = make_trial_table();
  return &table;
}

}  // namespace levin::core
