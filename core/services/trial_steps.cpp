#include "core/services/trial_steps.hpp"

#include <cmath>
#include <new>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/services/services.hpp"
#include "core/strategies/single_device/single_device.hpp"

namespace levin::core {
namespace {

RunPlan trial_plan(RunPlan plan) {
  plan.duration.max_epochs = -1;
  plan.duration.min_epochs = plan.duration.min_steps = 0;
  plan.limits.val = {0, false};
  plan.logging.log_every_n_steps = 0;
  plan.numerics.non_finite = NonFinite::ignore;  // a trial may fail, and all changes are undone
  return plan;
}

OptimizerState copy_of(Optimizer& optimizer) {
  OptimizerState state = optimizer.state_dict();
  for (auto& [key, tensor] : state.tensors) tensor = tensor.clone();
  return state;
}

// While it exists, the services levin.trainer/1 and levin.optim/1 of the run act on these parts.
class ServiceScope {
 public:
  ServiceScope(levin_run& run, TrainerParts& trainer, OptimParts& optim)
      : run_(run), trainer_(run.trainer), optim_(run.optim) {
    run_.trainer = &trainer;
    run_.optim = &optim;
  }
  ~ServiceScope() {
    run_.trainer = trainer_;
    run_.optim = optim_;
  }
  ServiceScope(const ServiceScope&) = delete;
  ServiceScope& operator=(const ServiceScope&) = delete;

 private:
  levin_run& run_;
  TrainerParts* trainer_;
  OptimParts* optim_;
};

}  // namespace

TrialSteps::TrialSteps(levin_run& run, const LoopContext& context, OptimizerSet& optimizers, Snapshots& snapshots)
    : run_(run),
      run_context_(context),
      optimizers_(optimizers),
      snapshots_(snapshots),
      plan_(trial_plan(context.plan)),
      shown_plan_(context.plan),
      no_loggers_({}, context.warn),
      log_(no_loggers_, {0, plan_.logging.barebones, plan_.logging.move_metrics_to_cpu}),
      loops_(std::make_unique<Loops>(*this, context.strategy)) {
  run_context_.model.mode(true);
  keep_state();
  progress_.begin_trial(context.progress);
  accumulation_.set_batches(context.accumulation.batches());
  run_context_.hooks.intercept_callbacks([this](const levin_event& event) { observe(event); });
}

TrialSteps::Loops::Loops(TrialSteps& t, Strategy& strategy)
    : context{t.plan_,
              t.run_context_.model,
              t.run_context_.loaders,
              t.run_context_.hooks,
              t.run_context_.precision,
              strategy,
              t.log_,
              t.progress_,
              t.accumulation_,
              t.agreement_,
              nullptr,
              t.run_context_.warn},
      optimization(make_optimization(
          {t.plan_, context.model, context.hooks, t.optimizers_, context.precision, strategy, t.log_, t.progress_})),
      schedules(context.model, t.optimizers_, t.log_, t.progress_, &t.run_, context.warn),
      no_validation(context, LEVIN_VAL) {}

void TrialSteps::keep_state() {
  before_.tensors = snapshots_.make();
  for (const auto& optimizer : optimizers_.optimizers()) before_.optimizers.push_back(copy_of(*optimizer));
  before_.precision = run_context_.precision.state_dict();
  before_.generators = generator_states(run_context_.strategy.device(), run_context_.strategy.further_generators());
  if (run_context_.model.has_state()) run_context_.model.save(before_.model.writer());
  before_.batch_size = run_context_.loaders.batch_size();
  before_.speed = speed_values({plan_, run_context_.loaders});
  for (ScheduleConfig& s : optimizers_.schedules()) {
    before_.paused.push_back(s.paused);
    s.paused = true;
  }
}

void TrialSteps::observe(const levin_event& event) {
  if (event.hook == LEVIN_HOOK_TRAIN_BATCH_END && event.loss) loss_ = retain(event.loss).item().toDouble();
}

FoundPosition TrialSteps::begin_epoch() {
  Loops& l = *loops_;
  if (l.epoch && !l.epoch->reached_all_batches() && !agreement_.skips_epoch()) return {FitPhase::in_batches};
  if (l.epoch) progress_.complete_epoch();
  log_.train().reset();
  l.epoch.emplace(l.context, optimizers_, *l.optimization, l.schedules, l.no_validation);
  return {};
}

void TrialSteps::run_steps(int64_t batches) {
  TrainerParts trainer = parts_of(&run_, &levin_run::trainer)
                             .of_trial(shown_plan_, log_, no_loggers_, progress_, accumulation_, agreement_);
  OptimParts optim{loops_->context.model, optimizers_, *loops_->optimization};
  const ServiceScope services_of_trial(run_, trainer, optim);
  const ValueScope<bool> stepping(steps_, true);
  while (progress_.global_step() < plan_.duration.max_steps && !progress_.stop.asked()) {
    const FoundPosition found = begin_epoch();
    const int64_t before = progress_.of(Counted::batch).total.ready;
    loops_->epoch->run(batches, found);
    if (progress_.of(Counted::batch).total.ready == before)
      throw Error(ErrorCode::call_invalid, "a trial made no progress: every batch was skipped");
  }
}

bool TrialSteps::step(int64_t n, double& loss) {
  loss_ = std::nan("");
  progress_.stop.withdraw();
  // If the processes step together, the error of one without memory ends the run, because the others wait for it.
  const bool here = fits(n);
  if (!(alone_ ? run_context_.strategy.processes().all(here, "whether a trial fits into memory") : here)) return false;
  loss = loss_;
  return true;
}

bool TrialSteps::fits(int64_t n) {
  plan_.duration.max_steps = progress_.global_step() + n;
  try {
    const int64_t batches = run_context_.loaders.total_batches(LEVIN_TRAIN);
    if (batches == 0 || run_context_.loaders.get(LEVIN_TRAIN).empty())
      throw Error(ErrorCode::call_invalid, "a trial needs training batches, and there are none");
    run_steps(batches);
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::exception& e) {
    const auto* const error = dynamic_cast<const Error*>(&e);
    const bool of_another = error && error->kind() == ErrorKind::processes;
    if (of_another || !is_out_of_memory(e.what())) throw;
    return false;
  }
  return true;
}

void TrialSteps::set_batch_size(int64_t rows) {
  run_context_.loaders.set_batch_size(rows);
  if (!alone_ && run_context_.strategy.several()) {
    alone_ = std::make_unique<SingleDeviceStrategy>(run_context_.strategy.device(), nobody_else_);
    loops_ = std::make_unique<Loops>(*this, *alone_);
    run_context_.strategy.step_alone(true);
  }
  loops_->epoch.reset();
}

void TrialSteps::set_speed(const SpeedSetting& setting, int64_t value) {
  if (steps_)
    throw Error(ErrorCode::call_invalid,
                std::string(setting.name) + " can be set between the steps of a trial, not in one");
  setting.set({plan_, run_context_.loaders}, value);
  loops_->epoch.reset();
}

void TrialSteps::end() {
  set_speed_values({plan_, run_context_.loaders}, before_.speed);
  run_context_.hooks.intercept_callbacks(nullptr);
  run_context_.strategy.step_alone(false);
  log_.train().reset();  // also resets stateful metrics such as accuracy
  auto& optimizers = optimizers_.optimizers();
  for (const auto& optimizer : optimizers) optimizer->zero_grad();
  snapshots_.swap(before_.tensors);
  snapshots_.drop(before_.tensors);
  for (size_t i = 0; i < optimizers.size(); ++i) optimizers[i]->load_state_dict(before_.optimizers[i]);
  auto& schedules = optimizers_.schedules();
  for (size_t i = 0; i < schedules.size(); ++i) schedules[i].paused = before_.paused[i];
  Model& model = run_context_.model;
  run_context_.precision.load_state_dict(before_.precision);
  set_generator_states(run_context_.strategy.device(), before_.generators, run_context_.strategy.further_generators());
  if (model.has_state()) model.load(before_.model.reader(model.schema().version.c_str()));
  run_context_.loaders.set_batch_size(before_.batch_size);
}

}  // namespace levin::core
