#include "core/trainer/trainer.hpp"

#include <torch/csrc/autograd/anomaly_mode.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/loops/prediction_loop.hpp"
#include "core/loops/sanity_check.hpp"
#include "core/optim/lr_scaling.hpp"
#include "core/run_folder/prediction_file.hpp"
#include "core/trainer/disk_space.hpp"
#include "core/trainer/fit_checks.hpp"
#include "core/trainer/rendezvous.hpp"
#include "core/trainer/resume/checkpoint_choice.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "core/trainer/roll_back.hpp"

namespace levin::core {
namespace {

uint32_t first_stage(Command command) {
  if (command == Command::validate) return LEVIN_STAGE_VALIDATE;
  if (command == Command::test) return LEVIN_STAGE_TEST;
  if (command == Command::predict) return LEVIN_STAGE_PREDICT;
  return LEVIN_STAGE_FIT;
}

std::unique_ptr<Profiler> make_profiler(const RunPlan& plan) {
  return plan.supervision.profiler
             ? std::make_unique<Profiler>(/*trace=*/plan.supervision.profiler == ProfilerKind::advanced)
             : nullptr;
}

// Applies trainer.detect_anomaly for the duration of a fit.
class AnomalyDetection {
 public:
  explicit AnomalyDetection(bool on) : before_(torch::autograd::AnomalyMode::is_enabled()) {
    torch::autograd::AnomalyMode::set_enabled(on);
  }
  ~AnomalyDetection() { torch::autograd::AnomalyMode::set_enabled(before_); }
  AnomalyDetection(const AnomalyDetection&) = delete;
  AnomalyDetection& operator=(const AnomalyDetection&) = delete;

 private:
  bool before_;
};

// Runs the body. If it throws an error that the precision can cause, adds the precision's advice to the message.
void advised(const Precision& precision, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    const std::string advice = precision.advice(e.what());
    if (advice.empty()) throw;
    throw Error(e.code(), e.what() + advice);
  } catch (const std::exception& e) {
    const std::string advice = precision.advice(e.what());
    if (advice.empty()) throw;
    throw Error(ErrorCode::operation_failed, brief(e) + advice);
  }
}

}  // namespace

Trainer::Trainer(RunConfig config, Console& console, Embedding embedding) : signals_(embedding.takes_signals) {
  const uint32_t stage = first_stage(config.command);
  RunSettings settings(std::move(config), std::move(embedding.plugins));
  profiler_ = make_profiler(settings.plan);
  try {
    processes_ = meet_processes(settings, signals_, console);
    signals_.run_begins();
    assembly_ = std::make_unique<Assembly>(std::move(settings), signals_, *processes_, stage, console);
  } catch (const Error& e) {
    // The other processes have stopped because of the same signal.
    if (e.kind() == ErrorKind::processes) signals_.check();
    if (processes_) processes_->failed(e);
    throw;
  }
  Assembly& assembly = *assembly_;
  if (!processes_->reductions.empty()) console.record(LEVIN_LOG_INFO, "reductions go by " + processes_->reductions);
  lifecycle_ = std::make_unique<RunLifecycle>(RunLifecycleParts{
      assembly.settings, assembly.output, assembly.processes, assembly.job, assembly.hooks, *assembly.components.data,
      assembly.loggers, assembly.loops, assembly.state, assembly.services.texts(), profiler_.get()});
  if (assembly.settings.plan.duration.max_epochs_by_default && stage == LEVIN_STAGE_FIT &&
      assembly.settings.config.command != Command::tune)
    console.warn("trainer.max_epochs is not set: the fit ends after 1000 epochs; -1 = no limit");
}

Trainer::~Trainer() = default;

int Trainer::run() {
  const RunConfig& config = assembly_->settings.config;
  return run(config.command, config.ckpt_path.value_or(""));
}

int Trainer::run(Command command, const std::string& ckpt) {
  return lifecycle_->run([&] {
    advised(*assembly_->device.precision, [&] { run_stages(command, ckpt); });
    tell_summary();
  });
}

void Trainer::tell_summary() {
  const RunConfig& config = assembly_->settings.config;
  const std::string data = config.data ? " on " + config.data->component : "";
  const std::string line = summary_.take_line(config.model.component + data);
  if (!line.empty()) assembly_->output.console.info(line);
}

void Trainer::run_stages(Command command, const std::string& ckpt) {
  if (fits(command)) fit(command == Command::tune);
  if (command == Command::run && assembly_->settings.plan.duration.fast_dev_run == 0)
    evaluate(LEVIN_STAGE_TEST, assembly_->output.folder->announced("best") ? "best" : "");
  if (command == Command::validate) evaluate(LEVIN_STAGE_VALIDATE, ckpt);
  if (command == Command::test) evaluate(LEVIN_STAGE_TEST, ckpt);
  if (command == Command::predict) predict(ckpt);
}

void Trainer::begin(uint32_t stage) {
  set_up(stage);
  // A signal may have arrived while the data was prepared.
  if (!assembly_->processes.world().several()) signals_.check();
  assembly_->agreement.now();
}

void Trainer::set_up(uint32_t stage) {
  Assembly& assembly = *assembly_;
  lifecycle_->begin_stage(stage);
  if (!first_stage_) {
    assembly.components.prepare_data();
    assembly.components.data->setup(stage);
    for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) assembly.loops.loaders.reload(split);
  }
  assembly.hooks.fire(LEVIN_HOOK_SETUP, assembly.progress);
  if (!first_stage_) return;
  first_stage_ = false;
  assembly.hooks.model_only(LEVIN_HOOK_CONFIGURE_MODEL, assembly.progress);
  assembly.device.strategy->place(*assembly.components.model, assembly.device.precision->dtype());
}

void Trainer::fit(bool only_tuners) {
  Assembly& assembly = *assembly_;
  begin_fit();
  const AnomalyDetection anomaly(assembly.settings.plan.numerics.detect_anomaly);
  const std::unique_ptr<ResumeSource> source =
      resume_source({assembly.settings, assembly.output, assembly.processes, *assembly.components.model,
                     assembly.loops.optimizers, *assembly.device.precision, assembly.loops.fit, assembly.progress,
                     assembly.state, assembly.services, assembly.output.console});
  tell_changes(*source, source->changes());
  source->load_model();
  assembly.device.strategy->begin(*assembly.components.model);
  name_run(source->lineage());
  assembly.progress.begin_fit(source->resumes());
  configure_optimizers();
  tell_changes(*source, source->optimizer_changes());
  source->load_loggers();
  if (!only_tuners) lifecycle_->begin_loggers();
  assembly.hooks.fire(LEVIN_HOOK_FIT_START, assembly.progress);
  if (only_tuners) return end_fit();
  const FoundPosition found = load_training(*source);
  check_disk_space(assembly.services.save_folders(), *assembly.components.model, assembly.loops.optimizers);
  lifecycle_->begin_loops();
  // As in Lightning, the sanity check also runs after a resume from a checkpoint between epochs without max_steps.
  if (!source->resumes() || (found.every_epoch_done() && assembly.settings.plan.duration.max_steps < 0))
    check_validation();
  train(found);
  end_fit();
}

void Trainer::begin_fit() {
  Assembly& assembly = *assembly_;
  assembly.progress.stop.withdraw();  // a stop of an earlier fit does not stop this one
  check_fit(assembly.settings, *assembly.components.model, assembly.loops.loaders);
  if (!assembly.settings.plan.limits.val.off() && !assembly.loops.validation.enabled())
    assembly.output.console.info("no validation: " + why_not_evaluated(*assembly.components.model, LEVIN_STAGE_VALIDATE,
                                                                       assembly.loops.loaders));
  begin(LEVIN_STAGE_FIT);
}

FoundPosition Trainer::load_training(ResumeSource& source) {
  Assembly& assembly = *assembly_;
  assembly.hooks.fire(LEVIN_HOOK_PRETRAIN_ROUTINE_START, assembly.progress);
  const FoundPosition found = source.load_training();
  if (source.resumes()) {
    const bool one_step = assembly.loops.optimizers.optimizers().size() == 1 &&
                          !assembly.components.model->manual_optimization() &&
                          assembly.settings.plan.optimization.truncated_bptt_steps == 0;
    check_resumed(assembly.settings.plan, assembly.progress, one_step, assembly.output.console);
  }
  for (const auto& optimizer : assembly.loops.optimizers.optimizers()) optimizer->zero_grad();
  source.load_gradients();
  assembly.hooks.fire(LEVIN_HOOK_PRETRAIN_ROUTINE_END, assembly.progress);
  if (source.resumes()) tell_resumed(source, found);
  return found;
}

void Trainer::train(const FoundPosition& found) {
  Assembly& assembly = *assembly_;
  summary_.begin(assembly.progress);
  NonFiniteGuard& guard = assembly.loops.optimization->guard();
  guard.on_roll_back(RollBack(
      {assembly.output, assembly.processes, *assembly.components.model, assembly.loops.optimizers, assembly.state}));
  assembly.loops.fit.run(found);
  guard.end_fit();
  const bool chosen = !assembly.loops.log.metrics(MetricSet::progress).empty();
  summary_.trained(assembly.progress, assembly.loops.log.metrics(chosen ? MetricSet::progress : MetricSet::callback));
  const StopRequest& stop = assembly.progress.stop;
  if (stop.asked() && !stop.reason().empty()) assembly.output.console.info("stopped: " + stop.reason());
}

void Trainer::check_validation() {
  Assembly& assembly = *assembly_;
  assembly.loops.loaders.set_epoch(assembly.progress.current_epoch());
  run_sanity_check(assembly.loops.context, assembly.loops.validation);
}

void Trainer::configure_optimizers() {
  Assembly& assembly = *assembly_;
  const RunPlan& plan = assembly.settings.plan;
  const StepTotal steps([&assembly] {
    return FitLoop::estimated_stepping_batches(assembly.settings.plan, assembly.loops.loaders,
                                               assembly.loops.accumulation)
        .value_or(0);
  });
  scale_rates();
  assembly.loops.optimizers.configure(*assembly.components.model, &assembly.run, steps,
                                      std::max<int64_t>(plan.duration.max_epochs, 0));
  check_optimizers(*assembly.components.model, assembly.loops.optimizers, assembly.output.console);
  assembly.device.strategy->begin_optimizers(assembly.loops.optimizers.optimizers());
}

// With more processes a step has more rows, so learning rates may be scaled up.
void Trainer::scale_rates() {
  Assembly& assembly = *assembly_;
  const RunPlan& plan = assembly.settings.plan;
  const int processes = assembly.processes.world().size;
  const double factor = lr_scaling(plan.optimization.scale_lr, processes);
  assembly.loops.optimizers.scale_rates(factor);
  if (factor == 1) return;
  const int64_t batches = assembly.loops.loaders.total_batches(LEVIN_TRAIN);
  const int64_t window = assembly.loops.accumulation.batches();
  int64_t steps = 0;
  if (plan.optimization.scale_lr_warmup_epochs > 0 && batches == unlimited)
    assembly.output.console.warn("trainer.scale_lr_warmup_epochs has no effect: the length of an epoch is unknown");
  else
    steps = static_cast<int64_t>(plan.optimization.scale_lr_warmup_epochs *
                                 static_cast<double>((batches + window - 1) / window));
  assembly.loops.optimization->warm_up(factor, steps);
  assembly.output.console.info("learning rates are multiplied by " + show(factor) + " (trainer.scale_lr=" +
                               name_of(plan.optimization.scale_lr) + ", " + std::to_string(processes) + " processes)" +
                               (steps > 0 ? ", with a warm-up of " + std::to_string(steps) + " steps" : ""));
}

void Trainer::tell_changes(const ResumeSource& source, const std::vector<std::string>& changes) {
  const Assembly& assembly = *assembly_;
  if (assembly.processes.world().is_first())  // the other ranks would print the same
    for (const std::string& line : changes) assembly.output.console.warn(line);
  if (!assembly.settings.config.strict_resume || changes.empty()) return;
  throw Error(ErrorCode::run_not_resumable,
              "--strict_resume: the run differs from the one that saved " + source.path() + ": " + join(changes, "; "));
}

void Trainer::name_run(Lineage lineage) {
  Assembly& assembly = *assembly_;
  if (assembly.output.folder)
    for (const RunCheckpoint& known : assembly.output.folder->list())
      lineage.saves = std::max(lineage.saves, known.saves);
  assembly.services.name_run(lineage.run);
  assembly.state.set_lineage(std::move(lineage));
}

void Trainer::tell_resumed(const ResumeSource& source, const FoundPosition& found) {
  Assembly& assembly = *assembly_;
  // The row of an epoch is logged after its end hooks, in which the checkpoint was saved.
  if (found.at_epoch_end()) assembly.loops.log.log_train_epoch(assembly.loops.context.log_axis());
  assembly.output.console.info("resumes from " + source.path() + " (epoch " +
                               std::to_string(assembly.progress.epochs_processed()) + ", step " +
                               std::to_string(assembly.progress.global_step()) + ")" + source.remainder());
}

void Trainer::end_fit() {
  assembly_->state.finish();
  assembly_->hooks.fire(LEVIN_HOOK_FIT_END, assembly_->progress);
  lifecycle_->end_stage();
}

// Loads the weights of model.init_from. Returns true if that option is set.
bool Trainer::init_model() {
  Assembly& assembly = *assembly_;
  const InitWeights init = init_weights_from(assembly.settings.config.weights);
  if (init.from) init_weights(*assembly.components.model, "model.init_from", init, assembly.output.console);
  return init.from.has_value();
}

void Trainer::load_for_evaluation(const std::string& ckpt_path) {
  Assembly& assembly = *assembly_;
  if (ckpt_path.empty()) {
    if (assembly.settings.config.command != Command::run && init_model()) return;
    if (assembly.settings.config.command != Command::run && !assembly.settings.has_own_model())
      assembly.output.console.warn("no --ckpt_path was given: the weights are not trained");
    return;
  }
  auto chosen = std::exchange(assembly.evaluated, std::nullopt);
  const ChosenCheckpoint file =
      chosen ? *std::move(chosen) : evaluated_checkpoint(assembly.settings, assembly.output, ckpt_path);
  if (is_weights_file(file.path)) {
    InitWeights weights = init_weights_from(assembly.settings.config.weights);
    weights.from = file.path;
    return init_weights(*assembly.components.model, "--ckpt_path", weights, assembly.output.console);
  }
  assembly.state.load_model(CheckpointReader(file.path, file.verified), /*callbacks=*/false);
  assembly.output.console.info("loaded the weights of " + file.path);
}

// Ends a stage without batches. The loggers still begin, so that they are finalized.
void Trainer::end_without_batches() {
  lifecycle_->begin_loggers();
  lifecycle_->end_stage();
}

void Trainer::evaluate(uint32_t stage, const std::string& ckpt_path) {
  Assembly& assembly = *assembly_;
  const RunPlan& plan = assembly.settings.plan;
  EvaluationLoop& loop = stage == LEVIN_STAGE_TEST ? assembly.loops.test : assembly.loops.validation;
  begin(stage);
  if ((stage == LEVIN_STAGE_TEST ? plan.limits.test : plan.limits.val).off()) return end_without_batches();
  if (!loop.enabled()) {
    // The command `run` also works for a model without a test step.
    if (assembly.settings.config.command == Command::run) {
      assembly.output.console.info("nothing is tested: " +
                                   why_not_evaluated(*assembly.components.model, stage, assembly.loops.loaders));
      return lifecycle_->end_stage();
    }
    refuse_evaluation(*assembly.components.model, stage);
  }
  load_for_evaluation(ckpt_path);
  lifecycle_->begin_loggers();
  lifecycle_->begin_loops();
  summary_.begin(assembly.progress);
  loop.run(stage, unlimited);
  summary_.did(stage == LEVIN_STAGE_TEST ? "tested" : "validated", assembly.loops.log.metrics(MetricSet::results));
  lifecycle_->end_stage();
}

void Trainer::predict(const std::string& ckpt_path) {
  Assembly& assembly = *assembly_;
  begin(LEVIN_STAGE_PREDICT);
  check_predict(assembly.settings, *assembly.components.model);
  predictions_ = {};
  if (assembly.settings.plan.limits.predict.off()) return end_without_batches();
  load_for_evaluation(ckpt_path);
  lifecycle_->begin_loggers();
  lifecycle_->begin_loops();
  summary_.begin(assembly.progress);
  PredictionLoop(assembly.loops.context).run([&](const std::vector<NamedTensor>& tensors, const Batch& batch) {
    if (!return_predictions_) return;
    const auto loader = static_cast<uint32_t>(assembly.progress.place.dataloader_idx);
    predictions_.add(tensors, batch, loader,
                     assembly.components.data->row_names(LEVIN_PREDICT, loader, batch.sample_ids));
  });
  summary_.did("predicted", {});
  gather_predictions(predictions_, assembly.device.strategy->processes(),
                     assembly.settings.plan.processes.use_distributed_sampler);
  write_predictions();
  lifecycle_->end_stage();
}

void Trainer::write_predictions() {
  Assembly& assembly = *assembly_;
  if (!assembly.output.folder || !assembly.output.folder->writes()) return;
  const WrittenPredictions written =
      predictions_.write(assembly.output.folder->path().string(), assembly.components.data->class_names(LEVIN_PREDICT));
  for (const std::string& path : written.files) assembly.output.console.info("wrote " + path);
  if (!written.left_out.empty())
    assembly.output.console.info(
        "only predictions.safetensors holds outputs with several numbers a row, or without one for each row: " +
        join(written.left_out, ", "));
}

}  // namespace levin::core
