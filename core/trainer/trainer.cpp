#include "core/trainer/trainer.hpp"

#include <torch/csrc/autograd/anomaly_mode.h>

#include <functional>

#include "core/base/error.hpp"
#include "core/components/failure.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/loops/prediction_loop.hpp"
#include "core/loops/sanity_check.hpp"
#include "core/trainer/checkpoint_choice.hpp"
#include "core/trainer/fit_checks.hpp"

namespace levin::core {
namespace {

uint32_t first_stage(Command command) {
  if (command == Command::validate) return LEVIN_STAGE_VALIDATE;
  if (command == Command::test) return LEVIN_STAGE_TEST;
  if (command == Command::predict) return LEVIN_STAGE_PREDICT;
  return LEVIN_STAGE_FIT;
}

std::unique_ptr<Profiler> make_profiler(const RunPlan& plan) {
  return plan.profiler ? std::make_unique<Profiler>(/*trace=*/plan.profiler == ProfilerKind::advanced) : nullptr;
}

// trainer.detect_anomaly, for the length of a fit.
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

// An error that comes from the precision says what to do about it.
void advised(const Precision& precision, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    const std::string advice = precision.advice(e.what());
    if (advice.empty()) throw;
    throw Error(e.kind(), e.what() + advice);
  } catch (const std::exception& e) {
    const std::string advice = precision.advice(e.what());
    if (advice.empty()) throw;
    throw Error(ErrorKind::run, brief(e) + advice);
  }
}

}  // namespace

Trainer::Trainer(RunConfig config, Console& console) : profiler_(make_profiler(make_run_plan(config.trainer))) {
  const uint32_t stage = first_stage(config.command);
  a_ = std::make_unique<Assembly>(std::move(config), stage, console);
  call_ = std::make_unique<Call>(*a_, profiler_.get());
  if (a_->plan.max_epochs_by_default && stage == LEVIN_STAGE_FIT && a_->config.command != Command::tune)
    console.warn("trainer.max_epochs was not given: 1000 epochs; -1 trains for ever");
}

Trainer::~Trainer() = default;

int Trainer::run() { return run(a_->config.command, a_->config.ckpt_path.value_or("")); }

int Trainer::run(Command command, const std::string& ckpt) {
  return call_->run([&] { advised(*a_->precision, [&] { run_stages(command, ckpt); }); });
}

void Trainer::run_stages(Command command, const std::string& ckpt) {
  if (fits(command)) fit(command == Command::tune);
  if (command == Command::run && a_->plan.fast_dev_run == 0)
    evaluate(LEVIN_STAGE_TEST, a_->folder->announced("best") ? "best" : "");
  if (command == Command::validate) evaluate(LEVIN_STAGE_VALIDATE, ckpt);
  if (command == Command::test) evaluate(LEVIN_STAGE_TEST, ckpt);
  if (command == Command::predict) predict(ckpt);
}

void Trainer::begin(uint32_t stage) {
  set_up(stage);
  a_->signals.check();  // preparing data may have taken long
}

void Trainer::set_up(uint32_t stage) {
  Assembly& a = *a_;
  call_->begin_stage(stage);
  if (!first_stage_) {
    a.prepare_data();
    a.data->setup(stage);
    for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) a.loaders->reload(split);
  }
  a.hooks->position().stage = stage;
  a.hooks->fire(LEVIN_HOOK_SETUP);
  if (!first_stage_) return;
  first_stage_ = false;
  a.hooks->model_only(LEVIN_HOOK_CONFIGURE_MODEL);
  a.model->visit();
  if (!a.strategy->device().is_cpu() || a.precision->dtype() != at::kFloat)
    a.model->move(a.strategy->device(), a.precision->dtype());
}

void Trainer::fit(bool only_tuners) {
  Assembly& a = *a_;
  a.stop.withdraw();            // what stopped an earlier fit does not stop this one
  a.progress.epoch_start = {};  // of an epoch that a failure cut
  check_fit(a);
  begin(LEVIN_STAGE_FIT);
  const AnomalyDetection anomaly(a.plan.detect_anomaly);
  const std::string checkpoint = resumed_checkpoint(a);
  std::unique_ptr<CheckpointReader> file;
  if (!checkpoint.empty()) {
    file = std::make_unique<CheckpointReader>(checkpoint);
    a.run->protect(checkpoint);
    a.state->load_model(*file, /*callbacks=*/true);
  }
  a.optimizers->configure(*a.model, a.run.get(),
                          StepTotal([&a] { return FitLoop::estimated_stepping_batches(*a.context).value_or(0); }),
                          std::max<int64_t>(a.plan.max_epochs, 0));
  check_optimizers(a);
  if (file && a.config.resume) a.state->load_position(*file);  // loggers go on from there
  if (!only_tuners) call_->begin_loggers();
  a.hooks->fire(LEVIN_HOOK_FIT_START);
  if (only_tuners) return end_fit();
  a.hooks->fire(LEVIN_HOOK_PRETRAIN_ROUTINE_START);
  if (file) {
    a.state->load_training(*file);
    check_resumed(a);
  }
  a.hooks->fire(LEVIN_HOOK_PRETRAIN_ROUTINE_END);
  for (const auto& optimizer : a.optimizers->optimizers()) optimizer->zero_grad();
  if (file) a.state->load_gradients(*file);
  if (file)
    a.console.info("goes on from " + checkpoint + " (epoch " + std::to_string(a.hooks->position().epoch) + ", step " +
                   std::to_string(a.hooks->position().global_step) + ")");
  call_->begin_loops();
  if (!file) run_sanity_check(*a.context, *a.validation);
  FitLoop(*a.context, *a.validation).run();
  if (a.stop.asked() && !a.stop.reason().empty()) a.console.info("stopped: " + a.stop.reason());
  end_fit();
}

void Trainer::end_fit() {
  a_->hooks->fire(LEVIN_HOOK_FIT_END);
  call_->end_stage();
}

void Trainer::load_for_evaluation(const std::string& ckpt_path) {
  Assembly& a = *a_;
  if (ckpt_path.empty()) {
    if (a.config.command != Command::run) a.console.warn("no --ckpt_path was given: the weights are not trained");
    return;
  }
  const std::string checkpoint = evaluated_checkpoint(a, ckpt_path);
  a.state->load_model(CheckpointReader(checkpoint), /*callbacks=*/false);
  a.console.info("uses the weights of " + checkpoint);
}

// Loggers are told of the end all the same.
void Trainer::end_without_batches() {
  call_->begin_loggers();
  call_->end_stage();
}

void Trainer::evaluate(uint32_t stage, const std::string& ckpt_path) {
  Assembly& a = *a_;
  EvaluationLoop& loop = stage == LEVIN_STAGE_TEST ? *a.test : *a.validation;
  begin(stage);
  if ((stage == LEVIN_STAGE_TEST ? a.plan.limit_test : a.plan.limit_val).off()) return end_without_batches();
  if (!loop.enabled()) {
    if (a.config.command == Command::run) return call_->end_stage();  // without a test part it is trained all the same
    refuse_evaluation(a, stage);
  }
  load_for_evaluation(ckpt_path);
  call_->begin_loggers();
  call_->begin_loops();
  loop.run(stage, unlimited);
  call_->end_stage();
}

void Trainer::predict(const std::string& ckpt_path) {
  Assembly& a = *a_;
  begin(LEVIN_STAGE_PREDICT);
  check_predict(a);
  predictions_ = {};
  if (a.plan.limit_predict.off()) return end_without_batches();
  load_for_evaluation(ckpt_path);
  call_->begin_loggers();
  call_->begin_loops();
  PredictionLoop(*a.context).run([&](const std::vector<NamedTensor>& tensors, const Batch& batch) {
    if (return_predictions_) predictions_.add(tensors, batch, static_cast<size_t>(a.hooks->position().dataloader_idx));
  });
  if (a.folder)
    for (const std::string& path : predictions_.write(a.folder->path().string())) a.console.info("wrote " + path);
  call_->end_stage();
}

}  // namespace levin::core
