#include "core/services/trial.hpp"

#include <cmath>
#include <new>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/components/tensor_handle.hpp"

namespace levin::core {
namespace {

RunPlan trial_plan(RunPlan plan) {
  plan.max_epochs = -1;
  plan.min_epochs = plan.min_steps = 0;
  plan.limit_val = {0, false};
  plan.log_every_n_steps = 0;
  return plan;
}

OptimizerState copy_of(Optimizer& optimizer) {
  OptimizerState state = optimizer.state_dict();
  for (auto& [key, tensor] : state.tensors) tensor = tensor.clone();
  return state;
}

// True while it lives.
class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
};

// What LibTorch's allocators say, and what plugins say for std::bad_alloc.
bool is_out_of_memory(const std::string& text) {
  const std::string said = lower(text);
  for (const char* known : {"out of memory", "can't allocate memory", "bad_alloc"})
    if (said.find(known) != std::string::npos) return true;
  return false;
}

}  // namespace

Trial::Trial(RunContext& run, Snapshots& snapshots)
    : run_(run),
      snapshots_(snapshots),
      plan_(trial_plan(run.plan)),
      no_loggers_({}, run.warn),
      log_(no_loggers_, 0),
      c_{plan_,         run.model,    run.data,       run.loaders,      run.hooks,
         run.precision, run.strategy, run.optimizers, run.optimization, log_,
         progress_,     stop_,        run.run,        nullptr,          run.warn},
      no_validation_(c_, LEVIN_VAL) {
  before_.tensors = snapshots_.make();
  for (const auto& optimizer : run_.optimizers.optimizers()) before_.optimizers.push_back(copy_of(*optimizer));
  before_.precision = run_.precision.state_dict();
  before_.generators = generator_states(run_.strategy.device());
  if (run_.model.has_state()) run_.model.save(before_.model.writer());
  before_.position = run_.at();
  before_.batch_size = run_.loaders.batch_size();
  for (ScheduleConfig& s : run_.optimizers.schedules()) {
    before_.paused.push_back(s.paused);
    s.paused = true;
  }
  progress_.epoch.total.processed = run_.at().epoch;
  progress_.accumulate_grad_batches = run_.progress.accumulate_grad_batches;
  before_.optim = run_.progress.optim;
  run_.hooks.set_tap([this](const levin_event& event) { observe(event); });
  run_.model.mode(true);
}

void Trial::observe(const levin_event& event) {
  if (event.hook == LEVIN_HOOK_TRAIN_BATCH_END && event.loss) loss_ = retain(event.loss).item().toDouble();
}

void Trial::begin_epoch() {
  progress_.within_epoch = loop_ && !loop_->reached_all_batches() && !progress_.skip_epoch;
  if (progress_.within_epoch) return;
  if (loop_) ++run_.at().epoch;
  log_.train().reset();
  loop_.emplace(c_, no_validation_);
}

void Trial::run_steps(int64_t batches) {
  const Flag stepping(stepping_);
  while (run_.at().global_step < plan_.max_steps && !stop_.asked()) {
    begin_epoch();
    const int64_t before = progress_.batch.total.ready;
    loop_->run(batches);
    if (progress_.batch.total.ready == before)
      throw Error(ErrorKind::usage, "a trial made no progress: every batch was skipped");
  }
}

bool Trial::step(int64_t n, double& loss) {
  loss_ = std::nan("");
  stop_.withdraw();
  plan_.max_steps = run_.at().global_step + n;
  const int64_t batches = run_.loaders.total_batches(LEVIN_TRAIN);
  if (batches == 0 || run_.loaders.get(LEVIN_TRAIN).empty())
    throw Error(ErrorKind::usage, "a trial needs training batches, and there are none");
  try {
    run_steps(batches);
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::exception& e) {
    if (!is_out_of_memory(e.what())) throw;
    return false;
  }
  loss = loss_;
  return true;
}

void Trial::set_batch_size(int64_t rows) {
  run_.loaders.set_batch_size(rows);
  loop_.reset();
}

void Trial::end() {
  run_.hooks.set_tap(nullptr);
  log_.train().reset();  // metrics with a state of their own begin anew too
  for (const auto& optimizer : run_.optimizers.optimizers()) optimizer->zero_grad();
  snapshots_.swap(before_.tensors);
  snapshots_.drop(before_.tensors);
  auto& optimizers = run_.optimizers.optimizers();
  for (size_t i = 0; i < optimizers.size(); ++i) optimizers[i]->load_state_dict(before_.optimizers[i]);
  auto& schedules = run_.optimizers.schedules();
  for (size_t i = 0; i < schedules.size(); ++i) schedules[i].paused = before_.paused[i];
  run_.precision.load_state_dict(before_.precision);
  set_generator_states(run_.strategy.device(), before_.generators);
  if (run_.model.has_state()) run_.model.load(before_.model.reader(run_.model.schema().version.c_str()));
  run_.at() = before_.position;
  run_.progress.optim = before_.optim;
  run_.loaders.set_batch_size(before_.batch_size);
}

}  // namespace levin::core
