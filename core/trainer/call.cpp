#include "core/trainer/call.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/components/failure.hpp"
#include "core/trainer/loop_place.hpp"

namespace levin::core {

int Call::run(const std::function<void()>& body) {
  try {
    body();
  } catch (const Interrupt& interrupt) {
    return interrupted(interrupt.signal);
  } catch (const Error& e) {
    // A mistake in the options is not one of a batch.
    const Error placed(e.kind(), e.what() + (e.kind() == ErrorKind::usage ? "" : place()));
    failed(placed.what());
    throw placed;
  } catch (const std::exception& e) {
    const std::string text = brief(e) + place();
    failed(text);
    throw Error(ErrorKind::run, text);
  }
  finalize_loggers("success");
  if (a_.folder) a_.folder->keep_config();
  report_profile();
  if (a_.folder) a_.console.info("everything about this run is in " + a_.folder->path().string());
  return 0;
}

void Call::begin_stage(uint32_t stage) {
  in_stage_ = true;
  in_loops_ = false;
  stage_ = stage;
  Position& at = a_.hooks->position();
  at.batch_idx = at.dataloader_idx = -1;  // of an earlier call
}

void Call::begin_loops() { in_loops_ = true; }

std::string Call::place() const { return in_loops_ ? " (" + loop_place(*a_.context) + ")" : ""; }

void Call::end_stage() {
  in_loops_ = false;
  const std::string problem = teardown();
  if (!problem.empty()) throw Error(ErrorKind::run, problem);
}

// The data module, then callbacks and the model, each whatever the others did. Returns the first problem.
std::string Call::teardown() {
  if (!in_stage_) return "";
  in_stage_ = false;
  a_.hooks->position().stage = stage_;
  std::string problem;
  try {
    a_.data->teardown(stage_);
  } catch (const std::exception& e) {
    problem = e.what();
  }
  const std::string second = a_.hooks->fire_to_all(LEVIN_HOOK_TEARDOWN, "");
  return problem.empty() ? second : problem;
}

void Call::teardown_and_warn() {
  const std::string problem = teardown();
  if (!problem.empty()) a_.console.warn("in teardown: " + problem);
}

void Call::begin_loggers() {
  if (loggers_began_) return;
  loggers_began_ = true;
  levin_logger_begin begin{};
  begin.size = sizeof begin;
  begin.run = a_.run.get();
  begin.run_dir = a_.run->text("run_dir");
  begin.run_id = a_.run->text("run_id");
  begin.hparams_json = a_.plan.enable_autolog_hparams ? a_.run->text("config") : "{}";
  begin.resumed_step = a_.config.resume ? a_.progress.batches_that_stepped - 1 : -1;
  a_.loggers->begin(begin);
}

void Call::finalize_loggers(const char* status) {
  if (!loggers_began_) return;
  a_.loggers->flush();
  a_.loggers->finalize(status);
}

int Call::interrupted(int signal) {
  a_.console.record(LEVIN_LOG_WARNING, "interrupted");  // the terminal has been told when the signal came
  const std::string problem = a_.hooks->fire_to_all(LEVIN_HOOK_EXCEPTION, "interrupted");
  if (!problem.empty()) a_.console.warn("while handling the interrupt: " + problem);
  save_interrupted();
  finalize_loggers("interrupted");
  teardown_and_warn();
  report_profile();
  return 128 + signal;
}

// A disk that is full must not keep loggers and teardown from their end.
void Call::save_interrupted() {
  if (!in_stage_ || stage_ != LEVIN_STAGE_FIT || !a_.folder || a_.optimizers->optimizers().empty()) return;
  const std::string path = (a_.folder->checkpoints() / "interrupted.ckpt").string();
  try {
    a_.state->save(path, false);
    a_.console.info("saved " + path + "; go on with: host resume " + a_.folder->path().string());
  } catch (const std::exception& e) {
    a_.console.warn("nothing was saved: " + brief(e));
  }
}

void Call::failed(const std::string& text) {
  const std::string second = a_.hooks->fire_to_all(LEVIN_HOOK_EXCEPTION, text);
  if (!second.empty()) a_.console.warn("while handling the failure: " + second);
  finalize_loggers("failed");
  teardown_and_warn();
  report_profile();
}

void Call::report_profile() {
  if (!profiler_) return;
  const std::string table = profiler_->table();
  a_.console.print(table);
  if (!a_.folder) return;
  try {
    write_file_durable(a_.folder->path() / "profile.txt", table);
    if (a_.plan.profiler == ProfilerKind::advanced)
      write_file_durable(a_.folder->path() / "trace.json", profiler_->trace());
  } catch (const std::exception& e) {
    a_.console.warn("the profile was not written: " + brief(e));
  }
}

}  // namespace levin::core
