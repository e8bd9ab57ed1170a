#include "core/trainer/run_lifecycle.hpp"

#include <algorithm>
#include <csignal>
#include <memory>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/components/arguments.hpp"
#include "core/optim/finite.hpp"
#include "core/trainer/loop_place.hpp"
#include "core/trainer/run_summary.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {
namespace {

// Returns the end of a message about a saved checkpoint. Only its program can resume a run with a model of the program.
std::string way_to_resume(const RunSettings& settings, const RunFolder& folder) {
  return settings.has_own_model() ? "; resume from it with this program's Trainer"
                                  : "; resume with: host resume " + folder.path().string();
}

// Returns the step of the last rows that were logged before the checkpoint. A batch saved before its validation or
// schedules was already logged and is not logged again.
int64_t last_logged_step(const RunProgress& progress) {
  const Counter& batch = progress.of(Counted::batch).current;
  const bool batch_was_logged = progress.batch_is_open() && batch.completed == batch.ready;
  return batch_was_logged ? progress.batches_that_stepped() : progress.batches_that_stepped() - 1;
}

}  // namespace

int RunLifecycle::run(const std::function<void()>& body) {
  try {
    body();
  } catch (const Interrupt& interrupt) {
    return interrupted(interrupt.signal);
  } catch (const Error& e) {
    const Error placed(code_of(e.code()), e.what() + (has_place(e) ? "" : place()));
    failed(placed);
    throw placed;
  } catch (const std::exception& e) {
    const Error placed(code_of(is_out_of_memory(e.what()) ? ErrorCode::out_of_memory : ErrorCode::operation_failed),
                       brief(e) + place());
    failed(placed);
    throw placed;
  }
  parts_.output.keep();
  finalize_loggers("success");
  if (interruption) console().info("the interrupt came after the run was complete");
  if (parts_.output.folder) parts_.output.folder->keep_config();
  if (parts_.output.folder) parts_.output.folder->remove_outdated_interruption();
  report_profile();
  tell_result();
  if (parts_.output.folder) console().info("everything about this run is in " + parts_.output.folder->path().string());
  return 0;
}

void RunLifecycle::tell_result() {
  const Command command = parts_.settings.config.command;
  if (!parts_.output.folder || !parts_.output.folder->writes() || !fits(command)) return;
  if (parts_.settings.has_own_model()) return;  // its program gets the results
  const bool tests = command == Command::fit && can_test_;
  for (const std::string& line : fit_result(*parts_.output.folder, tests)) console().info(line);
}

// An error of a plugin that follows from a failed collective counts as Error{processes}.
ErrorCode RunLifecycle::code_of(ErrorCode code) const {
  return kind_of(code) == ErrorKind::run && !parts_.processes.whole() ? ErrorCode::collective_failed : code;
}

// A usage error is unrelated to the batch. An error caused by another process has that process's place.
bool RunLifecycle::has_place(const Error& error) const {
  if (dynamic_cast<const PlacedError*>(&error) != nullptr) return true;
  return error.kind() == ErrorKind::usage ||
         (error.kind() == ErrorKind::processes && parts_.processes.reason_has_place());
}

void RunLifecycle::begin_stage(uint32_t stage) {
  in_stage_ = true;
  in_loops_ = false;
  stage_ = stage;
  progress_.begin_stage(stage);
  parts_.loops.log.set_evaluating(false, /*sanity=*/true);  // an earlier evaluation may have failed
}

void RunLifecycle::begin_loops() { in_loops_ = true; }

std::string RunLifecycle::place() const {
  return in_loops_ ? " (" + describe_place(progress_, parts_.loops.log.evaluating()) + ")" : "";
}

void RunLifecycle::end_stage() {
  in_loops_ = false;
  parts_.state.finish();
  can_test_ = parts_.loops.test.enabled();
  const std::string problem = teardown();
  if (!problem.empty()) throw Error(ErrorCode::teardown_failed, problem);
}

// Tears down the data module, then the callbacks and the model, each even if an earlier one failed. Returns the text of
// the first problem, or "".
std::string RunLifecycle::teardown() {
  if (!in_stage_) return "";
  in_stage_ = false;
  progress_.end_stage(stage_);
  std::string problem;
  try {
    parts_.data.teardown(stage_);
  } catch (const std::exception& e) {
    problem = e.what();
  }
  const std::string second = parts_.hooks.fire_to_all(LEVIN_HOOK_TEARDOWN, progress_, ""), third = finish_saves();
  return !problem.empty() ? problem : !second.empty() ? second : third;
}

// Waits until every requested file is on the disk or its failure is reported. Returns the text of the problem, or "".
std::string RunLifecycle::finish_saves() try {
  parts_.state.finish();
  return "";
} catch (const std::exception& e) {
  return brief(e);
}

void RunLifecycle::finish_saves_and_warn() {
  const std::string problem = finish_saves();
  if (!problem.empty()) console().warn("a checkpoint was lost: " + problem);
}

void RunLifecycle::teardown_and_warn() {
  const std::string problem = teardown();
  if (!problem.empty()) console().warn("in teardown: " + problem);
}

void RunLifecycle::begin_loggers() {
  if (loggers_began_) return;
  loggers_began_ = true;
  const RunPlan& plan = parts_.settings.plan;
  const std::unique_ptr<HyperParameters> hparams = plan.logging.enable_autolog_hparams
                                                       ? std::make_unique<HyperParameters>(parts_.settings.config)
                                                       : std::make_unique<HyperParameters>();
  const levin_args args = hparams->args();
  std::vector<const char*> tags;
  for (const std::string& tag : plan.names.tags) tags.push_back(tag.c_str());
  tags.push_back(nullptr);
  levin_logger_begin begin{};
  begin.size = sizeof begin;
  begin.run = parts_.hooks.run();
  begin.run_dir = parts_.texts.run_dir.c_str();
  begin.run_id = parts_.texts.run_id.c_str();
  begin.hparams_json = plan.logging.enable_autolog_hparams ? parts_.texts.config.c_str() : "{}";
  const bool goes_on = parts_.settings.config.resume && progress_.resumed();
  begin.resumed_step = goes_on ? std::max<int64_t>(last_logged_step(progress_), 0) : -1;
  begin.run_name = plan.names.run_name.empty() ? nullptr : plan.names.run_name.c_str();
  begin.tags = plan.names.tags.empty() ? nullptr : tags.data();
  begin.hparams = &args;
  begin.hparam_names = hparams->names();
  const auto begin_all = [&] { parts_.loggers.begin(begin); };
  parts_.output.started ? parts_.output.started->with_loggers(begin_all) : begin_all();
  show_urls();
}

// Prints where the loggers show the run.
void RunLifecycle::show_urls() {
  for (const auto& logger : parts_.loggers.all())
    if (!logger->url().empty()) console().info(logger->logger().instance() + " shows this run at " + logger->url());
}

void RunLifecycle::finalize_loggers(const char* status) {
  if (!loggers_began_) return;
  parts_.loggers.finalize(status, parts_.settings.plan.logging.logger_timeout);
  show_urls();
}

int RunLifecycle::interrupted(int signal) {
  console().record(LEVIN_LOG_WARNING, std::string("interrupted by ") +
                                          name_of_signal(signal));  // only logged: the signal handler has printed it
  parts_.hooks.intercept_callbacks(nullptr);                        // a trial may have been running
  finish_saves_and_warn();
  const std::string problem = parts_.hooks.fire_to_all(LEVIN_HOOK_EXCEPTION, progress_, "interrupted");
  if (!problem.empty()) console().warn("while handling the interrupt: " + problem);
  const bool saved = save_interrupted();
  finalize_loggers("interrupted");
  teardown_and_warn();
  report_profile();
  if (saved && parts_.processes.world().is_first()) parts_.job.stopped_by(signal);
  return saved && signal != SIGINT ? exit_saved : 128 + signal;
}

// Only warns if the checkpoint cannot be saved, so that loggers are still finalized and teardown still runs.
bool RunLifecycle::save_interrupted() {
  if (!fits(parts_.settings.config.command)) return true;
  if (parts_.output.folder && in_stage_ && stage_ == LEVIN_STAGE_FIT && !parts_.loops.optimizers.optimizers().empty())
    return save_interruption();
  if (!parts_.processes.world().is_first()) return true;
  if (parts_.output.folder && in_stage_ && stage_ != LEVIN_STAGE_FIT)
    tell_fit_is_done();
  else
    tell_nothing_was_saved();
  return true;
}

void RunLifecycle::tell_nothing_was_saved() {
  const auto& resumed = parts_.settings.config.resume;
  console().notice(!parts_.output.folder ? "nothing was saved: fast_dev_run saves no checkpoints"
                   : resumed ? "nothing was saved: the resumed fit had not begun; resume with: host resume " + *resumed
                             : "nothing was saved: the fit had not begun");
}

bool RunLifecycle::save_interruption() {
  const std::string path = parts_.output.folder->interruption().string();
  try {
    parts_.state.save(path);
    if (!parts_.output.folder->writes()) return true;
    console().notice("saved " + path + way_to_resume(parts_.settings, *parts_.output.folder));
    return true;
  } catch (const std::exception& e) {
    console().warn("nothing was saved: " + brief(e));
    return false;
  }
}

// Called if an interrupt comes after the fit has ended.
void RunLifecycle::tell_fit_is_done() {
  const RunFolder& folder = *parts_.output.folder;
  const auto best = folder.announced("best"), file = best ? best : folder.announced("last");
  console().notice(
      "the fit is complete, in " + folder.path().string() +
      (file && !parts_.settings.has_own_model()
           ? "; to test it: host test --config " + (folder.path() / "config.json").string() + " --ckpt_path " + *file
           : ""));
}

// Returns true if steps were trained and there is no checkpoint to resume from. Returns false after a failed save,
// because another save would fail too.
bool RunLifecycle::loses_everything(const Error& error) const {
  if (error.kind() == ErrorKind::checkpoint) return false;
  if (!parts_.output.folder || !in_loops_ || stage_ != LEVIN_STAGE_FIT) return false;
  if (!progress_.begun() || progress_.global_step() == 0) return false;
  const std::vector<RunCheckpoint> saved = parts_.output.folder->list();
  return std::all_of(saved.begin(), saved.end(), [](const RunCheckpoint& c) { return c.weights_only; });
}

// Called after a stop because of a non-finite value: the weights are those from before it, unless they are its cause.
void RunLifecycle::save_finite() {
  const std::string why = why_not_worth_saving();
  if (why.empty()) {
    save_interruption();
  } else if (parts_.output.folder->writes()) {
    console().warn("nothing was saved: " + why);
  }
}

void RunLifecycle::tell_last_checkpoint() {
  const auto& folder = parts_.output.folder;
  if (!folder || !folder->writes() || !in_loops_ || stage_ != LEVIN_STAGE_FIT) return;
  const std::vector<RunCheckpoint> saved = folder->list();
  const auto last = std::find_if(saved.rbegin(), saved.rend(), [](const RunCheckpoint& c) { return !c.weights_only; });
  if (last != saved.rend())
    console().notice("nothing new was saved; the last checkpoint is " + last->path +
                     way_to_resume(parts_.settings, *folder));
}

std::string RunLifecycle::why_not_worth_saving() {
  const Model& model = parts_.loops.context.model;
  const std::string weight = first_non_finite(model.parameters()), buffer = first_nan(model.buffers());
  if (!weight.empty()) return "the parameter '" + weight + "' is NaN or infinite";
  if (!buffer.empty()) return "the buffer '" + buffer + "' is NaN; save more often to have a checkpoint before it";
  if (progress_.global_step() == parts_.loops.optimization->guard().skipped().total)
    return "no optimizer step was done before it";
  return "";
}

void RunLifecycle::failed(const Error& error) {
  parts_.processes.failed(error);
  parts_.hooks.intercept_callbacks(nullptr);  // a trial may have been running
  finish_saves_and_warn();
  const std::string second = parts_.hooks.fire_to_all(LEVIN_HOOK_EXCEPTION, progress_, error.what());
  if (!second.empty()) console().warn("while handling the failure: " + second);
  if (loses_everything(error))
    error.kind() == ErrorKind::non_finite ? save_finite() : (void)save_interruption();
  else if (error.kind() == ErrorKind::non_finite)
    tell_last_checkpoint();
  finalize_loggers("failed");
  teardown_and_warn();
  report_profile();
}

void RunLifecycle::report_profile() {
  if (!parts_.profiler) return;
  const std::string table = parts_.profiler->table();
  console().print(table);
  if (!parts_.output.folder || !parts_.output.folder->writes()) return;
  try {
    write_file_durable(parts_.output.folder->path() / "profile.txt", table);
    if (parts_.settings.plan.supervision.profiler == ProfilerKind::advanced)
      write_file_durable(parts_.output.folder->path() / "trace.json", parts_.profiler->trace());
  } catch (const std::exception& e) {
    console().warn("the profile was not written: " + brief(e));
  }
}

}  // namespace levin::core
