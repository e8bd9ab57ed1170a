#include "core/trainer/trainer.hpp"

#include <torch/csrc/autograd/anomaly_mode.h>

#include "core/adapt/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/data/limits.hpp"
#include "core/loops/fit_loop.hpp"
#include "core/loops/prediction_loop.hpp"
#include "core/trainer/prediction_file.hpp"

namespace levin::core {
namespace {

uint32_t first_stage(const std::string& command) {
  if (command == "validate") return LEVIN_STAGE_VALIDATE;
  if (command == "test") return LEVIN_STAGE_TEST;
  if (command == "predict") return LEVIN_STAGE_PREDICT;
  return LEVIN_STAGE_FIT;
}

[[noreturn]] void refuse_evaluation(const std::string& what, bool has_step) {
  const std::string name = what == "test" ? "test" : "validation";
  throw Error(ErrorKind::usage, "there is nothing to " + what + ": " +
                                    (has_step ? "the data has no " + name + " split, or the limit is 0"
                                              : "the model has no " + name + "_step"));
}

}  // namespace

Trainer::Trainer(RunConfig config, Console& console) : console_(console) {
  const uint32_t stage = first_stage(config.command);
  const std::string profiler = make_run_plan(config.trainer).profiler;
  if (!profiler.empty()) profiler_ = std::make_unique<Profiler>(profiler == "advanced");
  a_ = std::make_unique<Assembly>(std::move(config), stage, console);
  if (a_->plan.max_epochs_by_default && stage == LEVIN_STAGE_FIT)
    console.warn("trainer.max_epochs was not given: 1000 epochs; -1 trains for ever");
}

Trainer::~Trainer() = default;

int Trainer::run() { return run(a_->config.command, a_->config.ckpt_path.value_or("")); }

int Trainer::run(const std::string& command, const std::string& ckpt) {
  try {
    if (command == "run" || command == "fit" || command == "tune") fit(command == "tune");
    if (command == "run" && a_->plan.fast_dev_run == 0)
      evaluate(LEVIN_STAGE_TEST, a_->folder->announced("best") ? "best" : "");
    if (command == "validate") evaluate(LEVIN_STAGE_VALIDATE, ckpt);
    if (command == "test") evaluate(LEVIN_STAGE_TEST, ckpt);
    if (command == "predict") predict(ckpt);
  } catch (const Interrupt& interrupt) {
    return interrupted(interrupt.signal);
  } catch (const Error& e) {
    failed(e.what());
    throw;
  } catch (const std::exception& e) {
    const std::string text = brief(e);
    failed(text);
    throw Error(ErrorKind::run, text);
  }
  finalize_loggers("success");
  report_profile();
  if (a_->folder) console_.info("everything about this run is in " + a_->folder->path().string());
  return 0;
}

void Trainer::begin(uint32_t stage) {
  Assembly& a = *a_;
  in_stage_ = true;
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

void Trainer::end() {
  in_stage_ = false;
  a_->data->teardown(a_->hooks->position().stage);
  a_->hooks->fire(LEVIN_HOOK_TEARDOWN);
}

void Trainer::begin_loggers() {
  if (loggers_began_) return;
  loggers_began_ = true;
  levin_logger_begin begin{};
  begin.size = sizeof begin;
  begin.run = a_->run.get();
  begin.run_dir = a_->run->text("run_dir");
  begin.run_id = a_->run->text("run_id");
  begin.hparams_json = a_->run->text("config");
  begin.resumed_step = a_->config.resume ? a_->progress.batches_that_stepped - 1 : -1;
  a_->loggers->begin(begin);
}

std::string Trainer::find(const std::string& ckpt_path) const {
  return find_checkpoint(ckpt_path, a_->folder, a_->plan.default_root_dir,
                         [this](const std::string& line) { console_.warn(line); });
}

std::string Trainer::find_elsewhere(const std::string& ckpt_path) const {
  return find_checkpoint(ckpt_path, std::nullopt, a_->plan.default_root_dir,
                         [this](const std::string& line) { console_.warn(line); });
}

std::string Trainer::resumed_checkpoint() const {
  const std::string wanted = a_->config.ckpt_path.value_or(a_->config.resume ? "last" : "");
  if (wanted.empty()) return "";
  const std::string found = a_->config.resume ? find(wanted) : find_elsewhere(wanted);
  if (found.empty())
    console_.warn("there is no checkpoint to go on from: starts anew");
  else
    remove_stale_temporaries(folder_of(found));
  return found;
}

void Trainer::sanity_check() {
  const int64_t most = a_->plan.num_sanity_val_steps;
  if (most == 0 || !a_->validation->enabled()) return;
  a_->hooks->position().stage = LEVIN_STAGE_SANITY;
  a_->hooks->fire(LEVIN_HOOK_SANITY_CHECK_START);
  a_->validation->run(LEVIN_STAGE_SANITY, most < 0 ? unlimited : most);
  a_->log->drop_sanity_metrics();
  a_->hooks->position().stage = LEVIN_STAGE_SANITY;
  a_->hooks->fire(LEVIN_HOOK_SANITY_CHECK_END);
  a_->hooks->position().stage = LEVIN_STAGE_FIT;
  // As in Lightning, the loaders of the check serve an epoch that validates, and are made again for a later one.
  const RunPlan& plan = a_->plan;
  const bool validates_first = (a_->hooks->position().epoch + 1) % plan.check_val_every_n_epoch.value_or(1) == 0;
  if (plan.reload_dataloaders_every_n_epochs > 0 && !validates_first) a_->loaders->reload(LEVIN_VAL);
}

void Trainer::fit(bool only_tuners) {
  Assembly& a = *a_;
  check_fit();
  begin(LEVIN_STAGE_FIT);
  fitting_ = true;
  torch::autograd::AnomalyMode::set_enabled(a.plan.detect_anomaly);
  const std::string checkpoint = resumed_checkpoint();
  std::unique_ptr<CheckpointReader> file;
  if (!checkpoint.empty()) {
    file = std::make_unique<CheckpointReader>(checkpoint);
    a.run->protect(checkpoint);
    a.state->load_model(*file, /*callbacks=*/true);
  }
  a.optimizers->configure(*a.model, a.run.get(),
                          StepTotal([&a] { return FitLoop::estimated_stepping_batches(*a.context).value_or(0); }),
                          std::max<int64_t>(a.plan.max_epochs, 0));
  check_optimizers();
  if (file && a.config.resume) a.state->load_position(*file);  // loggers go on from there
  if (!only_tuners) begin_loggers();
  a.hooks->fire(LEVIN_HOOK_FIT_START);
  if (only_tuners) return end_fit();
  a.hooks->fire(LEVIN_HOOK_PRETRAIN_ROUTINE_START);
  if (file) a.state->load_training(*file);
  a.hooks->fire(LEVIN_HOOK_PRETRAIN_ROUTINE_END);
  for (const auto& optimizer : a.optimizers->optimizers()) optimizer->zero_grad();
  if (file) a.state->load_gradients(*file);
  if (file)
    console_.info("goes on from " + checkpoint + " (epoch " + std::to_string(a.hooks->position().epoch) + ", step " +
                  std::to_string(a.hooks->position().global_step) + ")");
  else
    sanity_check();
  FitLoop(*a.context, *a.validation).run();
  if (a.stop.asked() && !a.stop.reason().empty()) console_.info("stopped: " + a.stop.reason());
  end_fit();
}

void Trainer::end_fit() {
  a_->hooks->fire(LEVIN_HOOK_FIT_END);
  fitting_ = false;
  torch::autograd::AnomalyMode::set_enabled(false);
  end();
}

// What a fit needs, asked before anything is done.
void Trainer::check_fit() const {
  const Assembly& a = *a_;
  const levin_model* table = &a.model->table();
  const char* missing = nullptr;
  if (!a.model->has_step(LEVIN_STAGE_FIT))
    missing = "training_step";
  else if (!LEVIN_HAS(levin_model, table, configure_optimizers))
    missing = "configure_optimizers";
  if (missing)
    throw Error(ErrorKind::usage, "model '" + a.config.model.component + "' has no " + missing +
                                      "; a fit needs training_step, configure_optimizers and data to train on "
                                      "(train_dataloader)");
  if (!a.plan.limit_train.off() && !a.loaders->exists(LEVIN_TRAIN))
    throw Error(ErrorKind::data, a.data->plugin() + " has no training data (no train_dataloader)");
  if (!a.model->manual_optimization()) return;
  const std::string reason = " does not work with manual optimization: the model has to do it; leave it out";
  if (a.plan.gradient_clip_val) throw Error(ErrorKind::usage, "trainer.gradient_clip_val" + reason);
  for (const auto& [epoch, window] : a.plan.accumulate_grad_batches)
    if (window != 1) throw Error(ErrorKind::usage, "trainer.accumulate_grad_batches" + reason);
}

void Trainer::check_optimizers() const {
  const Assembly& a = *a_;
  const size_t n = a.optimizers->optimizers().size();
  if (n == 0) console_.warn("configure_optimizers gave no optimizer: the model's parameters stay as they are");
  if (n > 1 && !a.model->manual_optimization() && !a.model->looks_at_optimizer_idx())
    throw Error(ErrorKind::usage,
                "the model configures " + std::to_string(n) +
                    " optimizers in automatic optimization, but its training_step does not look at optimizer_idx; "
                    "declare training_step(batch, batch_idx, optimizer_idx), or use manual optimization "
                    "(automatic_optimization = false)");
}

void Trainer::load_for_evaluation(const std::string& ckpt_path) {
  if (ckpt_path.empty()) {
    if (a_->config.command != "run") console_.warn("no --ckpt_path was given: the weights are not trained");
    return;
  }
  const bool own_fit = a_->config.command == "run";
  const std::string checkpoint = own_fit ? find(ckpt_path) : find_elsewhere(ckpt_path);
  if (checkpoint.empty())
    throw Error(ErrorKind::checkpoint, "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " +
                                           a_->plan.default_root_dir + "/levin_logs");
  a_->state->load_model(CheckpointReader(checkpoint), /*callbacks=*/false);
  console_.info("uses the weights of " + checkpoint);
}

void Trainer::evaluate(uint32_t stage, const std::string& ckpt_path) {
  Assembly& a = *a_;
  EvaluationLoop& loop = stage == LEVIN_STAGE_TEST ? *a.test : *a.validation;
  begin(stage);
  if ((stage == LEVIN_STAGE_TEST ? a.plan.limit_test : a.plan.limit_val).off()) return end();
  if (!loop.enabled()) {
    if (a.config.command == "run") return end();  // a model or data without a test part is trained all the same
    refuse_evaluation(stage == LEVIN_STAGE_TEST ? "test" : "validate", a.model->has_step(stage));
  }
  load_for_evaluation(ckpt_path);
  begin_loggers();
  loop.run(stage, unlimited);
  end();
}

void Trainer::predict(const std::string& ckpt_path) {
  Assembly& a = *a_;
  begin(LEVIN_STAGE_PREDICT);
  if (!a.model->has_step(LEVIN_STAGE_PREDICT))
    throw Error(ErrorKind::usage, "model '" + a.config.model.component + "' has no predict_step");
  if (a.plan.limit_predict.off()) return end();
  load_for_evaluation(ckpt_path);
  begin_loggers();
  PredictionFile file;
  predictions_.clear();
  PredictionLoop(*a.context).run([&](const std::vector<NamedTensor>& tensors, const Batch& batch) {
    if (!return_predictions_ || tensors.empty()) return;
    file.add(tensors, batch);
    predictions_.resize(static_cast<size_t>(a.hooks->position().dataloader_idx) + 1);
    predictions_.back().push_back(tensors.front().tensor);
  });
  if (a.folder && return_predictions_)
    for (const std::string& path : file.write(a.folder->path().string())) console_.info("wrote " + path);
  end();
}

int Trainer::interrupted(int signal) {
  Assembly& a = *a_;
  console_.warn("interrupted: saving, then ending; once more ends at once");
  a.hooks->fire_to_all(LEVIN_HOOK_EXCEPTION, "interrupted");
  if (fitting_ && a.folder && !a.optimizers->optimizers().empty()) {
    const std::string path = (a.folder->checkpoints() / "interrupted.ckpt").string();
    a.state->save(path, false);
    console_.info("saved " + path + "; go on with: host resume " + a.folder->path().string());
  }
  finalize_loggers("interrupted");
  teardown_whatever_fails();
  return 128 + signal;
}

void Trainer::failed(const std::string& text) {
  const std::string second = a_->hooks->fire_to_all(LEVIN_HOOK_EXCEPTION, text);
  if (!second.empty()) console_.warn("while handling the failure: " + second);
  finalize_loggers("failed");
  teardown_whatever_fails();
}

void Trainer::report_profile() {
  if (!profiler_) return;
  console_.print(profiler_->table());
  if (!a_->folder) return;
  write_file_durable(a_->folder->path() / "profile.txt", profiler_->table());
  if (a_->plan.profiler == "advanced")
    write_file_durable(a_->folder->path() / "trace.json", profiler_->trace().dump() + "\n");
}

void Trainer::finalize_loggers(const char* status) {
  if (!loggers_began_) return;
  a_->loggers->flush();
  a_->loggers->finalize(status);
}

void Trainer::teardown_whatever_fails() {
  if (!in_stage_) return;
  try {
    a_->data->teardown(a_->hooks->position().stage);
  } catch (const std::exception& e) {
    console_.warn(std::string("in teardown: ") + e.what());
  }
  const std::string problem = a_->hooks->fire_to_all(LEVIN_HOOK_TEARDOWN, "");
  if (!problem.empty()) console_.warn("in teardown: " + problem);
}

}  // namespace levin::core
