#include "sweep/driver/driver.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/program_name.hpp"
#include "core/base/stop_signals.hpp"
#include "launch/common/owner_lock.hpp"
#include "launch/common/shell_quote.hpp"
#include "runs/run_state.hpp"
#include "sweep/driver/sweep_check.hpp"
#include "sweep/run/gpus.hpp"

namespace levin::core::sweep {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int most_starts = 3;             // of a trial whose process is killed
constexpr size_t most_first_failures = 3;  // after which a sweep without a success ends

Descriptor locked(const SweepFolder& folder) {
  if (auto lock = take_owner_lock(folder.lock())) return std::move(*lock);
  throw Error(ErrorCode::job_in_use, "another host sweep is running the sweep in " + folder.path.string());
}

// The processes of a killed sweep end at once, but not in the same instant.
void wait_for_lock(const fs::path& run) {
  for (int tries = 0; tries < 1000 && holds_lock(run); ++tries) std::this_thread::sleep_for(milliseconds(10));
}

// The weights of another trial, kept although that trial goes on.
void keep_weights(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to.parent_path());
  fs::remove(to, failed);
  fs::create_hard_link(from, to, failed);
  if (failed) fs::copy_file(from, to, fs::copy_options::overwrite_existing);
}

// Returns false for values that the sweep cannot have given the trial, because sweep.json or the study has changed.
bool are_possible(const Trial& trial, const std::vector<Parameter>& parameters) {
  return std::all_of(parameters.begin(), parameters.end(), [&trial](const Parameter& parameter) {
    const auto found = trial.values.find(parameter.option);
    if (found == trial.values.end()) return false;
    const double nearest = parameter.nearest_value(found->second);
    return std::abs(nearest - found->second) <= 1e-9 * std::max(1.0, std::abs(nearest));
  });
}

void check_study(const Study& study, const SweepSettings& settings, const SweepFolder& folder) {
  if (study.maximizes != settings.maximizes())
    refuse_sweep(ErrorCode::file_content_invalid, folder.settings().string() + ": mode is not that of study.journal");
  for (const Trial& trial : study.trials)
    if (trial.is_of_sweep() && !are_possible(trial, settings.parameters))
      refuse_sweep(ErrorCode::file_content_invalid,
                   folder.settings().string() + ": params do not fit the values of trial " +
                       std::to_string(trial.number) + " in study.journal; restore the file");
}

}  // namespace

Driver::Driver(SweepFolder folder, SweepSettings settings, bool terminal)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      lock_(locked(folder_)),
      journal_(folder_.journal(), folder_.path.filename().string(), settings_.maximizes()),
      schedule_(make_schedule(settings_.schedule, settings_.parameters,
                              make_sampler(settings_.sampler, settings_.parameters, settings_.schedule.seed))),
      gpus_(visible_gpus(environment_variables())),
      table_(settings_, terminal),
      signals_({SIGINT, SIGTERM, SIGHUP}) {
  check_study(journal_.study(), settings_, folder_);
  write_file_durable(folder_.settings(), to_json(settings_).dump(2) + "\n");
}

Driver::~Driver() {
  for (const Running& run : running_) {
    ::kill(run.pid, SIGKILL);
    ::waitpid(run.pid, nullptr, 0);
  }
}

SweepFolder Driver::new_folder(const SweepSettings& settings) {
  const fs::path parent = fs::path(settings.root) / settings.log_name;
  for (int i = 0;; ++i) {
    const fs::path folder = parent / ("sweep_" + std::to_string(i));
    std::error_code failed;
    fs::create_directories(parent, failed);
    if (fs::create_directory(folder, failed)) return {folder};
    if (failed) throw Error(ErrorCode::file_not_written, folder.string() + " cannot be made: " + failed.message());
  }
}

bool Driver::runs(const SweepFolder& folder) { return holds_owner_lock(folder.lock()); }

int Driver::run() {
  take_over();
  while (true) {
    const bool more = signal_ == 0 && fill();
    if (running_.empty() && !more) break;
    pollfd wait{signals_.fd(), POLLIN, 0};
    ::poll(&wait, 1, 200);
    handle_signals();
    reap();
    table_.update(journal_.study(), running_.size());
  }
  if (done_) close_paused();
  table_.end(journal_.study());
  if (signal_) {
    std::printf("stopped by %s; go on with: %s sweep --resume %s\n", name_of_signal(signal_), command_name(),
                shell_word(folder_.path.string()).c_str());
    return code_of_stop(signal_);
  }
  const Trial* best = journal_.study().best();
  if (!best)
    throw Error(ErrorCode::trials_failed,
                "no trial has succeeded: see host sweep report " + shell_word(folder_.path.string()));
  std::printf("best    %s\nrun     %s\n", values_text(*best).c_str(), folder_.run(best->run()).c_str());
  return 0;
}

void Driver::take_over() {
  for (const Trial& trial : journal_.study().trials)
    if (trial.is_busy()) left_.push_back(trial.number);
  const std::vector<int64_t> all = left_;
  if (!is_remote()) left_.clear();
  for (const int64_t number : all) {
    if (is_remote()) continue;  // their jobs go on, and say how they have ended
    const fs::path run = folder_.run(trial(number).run());
    wait_for_lock(run);
    const RunResult result = read_result(run, settings_.metric, settings_.maximizes());
    const int64_t epochs = trial(number).epochs();
    const bool reached = epochs == 0 || (!result.at_epoch.empty() && result.at_epoch.rbegin()->first >= epochs);
    if ((result.how == RunResult::How::done && reached) || result.how == RunResult::How::failed)
      record(trial(number), result);
    else
      left_.push_back(number);
  }
}

bool Driver::fill() {
  while (running_.size() < static_cast<size_t>(settings_.workers)) {
    if (!left_.empty()) {
      const int64_t number = left_.front();
      left_.erase(left_.begin());
      start(number, 1);
      continue;
    }
    const Step step = schedule_->next(journal_.study());
    done_ = step.what == Step::What::finish;
    if (done_) return false;
    if (step.what == Step::What::wait) return true;
    if (!begin(step)) return true;
  }
  return true;
}

bool Driver::begin(const Step& step) {
  int64_t number = step.trial;
  if (step.what == Step::What::proceed) {
    journal_.set(number, "epochs", step.epochs);
  } else {
    nlohmann::json attributes = step.attributes;
    const std::string name = "trial_" + std::to_string(journal_.study().trials.size());
    attributes["run"] = name;
    if (const int64_t parent = attributes.value("parent", int64_t{-1}); parent >= 0)
      keep_weights(last_checkpoint(folder_.run(trial(parent).run())), folder_.first_weights(name));
    number = journal_.start(settings_.parameters, step.values, attributes);
  }
  start(number, 1);
  return true;
}

RunPlan Driver::plan_of(const Trial& trial) const {
  RunPlan out;
  out.command = settings_.command;
  out.values = value_words(settings_.parameters, values_of(trial, settings_.parameters));
  out.secrets = settings_.secrets;
  out.root = folder_.path.parent_path().string();
  out.log_name = folder_.path.filename().string();
  out.name = trial.run();
  out.folder = folder_.run(out.name);
  out.output = folder_.output(out.name);
  if (trial.parent() >= 0) out.first_weights = folder_.first_weights(out.name);
  out.epochs = trial.epochs();
  out.engine = {settings_, folder_.job(out.name, trial.epochs()), settings_.gpus};
  out.side_by_side = static_cast<size_t>(settings_.workers);
  return out;
}

void Driver::start(int64_t number, int starts) {
  const size_t place = free_place();
  RunPlan plan = plan_of(trial(number));
  if (!plan.engine.is_remote()) plan.gpus = share_of_gpus(gpus_, place, static_cast<size_t>(settings_.workers));
  running_.push_back({number, start_run(plan), starts, place});
}

size_t Driver::free_place() const {
  const auto is_taken = [this](size_t place) {
    return std::any_of(running_.begin(), running_.end(), [place](const Running& run) { return run.place == place; });
  };
  size_t out = 0;
  while (is_taken(out)) ++out;
  return out;
}

void Driver::reap() {
  for (size_t i = 0; i < running_.size();) {
    int status = 0;
    if (::waitpid(running_[i].pid, &status, WNOHANG) != running_[i].pid) {
      ++i;
      continue;
    }
    const Running run = running_[i];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    ended(run, status);
  }
}

void Driver::ended(const Running& run, int status) {
  const Trial& ended = trial(run.trial);
  if (is_remote()) return job_ended(run.trial);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return record(ended, read_result(folder_.run(ended.run()), settings_.metric, settings_.maximizes()));
  const bool stopped = was_stopped(status);
  if (stopped && signal_) return;  // goes on with --resume
  if (stopped && run.starts < most_starts) {
    table_.say("trial " + std::to_string(run.trial) + ": " + way_of_ending(status) + "; it goes on");
    return start(run.trial, run.starts + 1);
  }
  const std::string problem = last_problem(folder_.output(ended.run())).message;
  fail(ended, stopped || problem.empty() ? way_of_ending(status) : problem);
}

// A job without a result is no failure of the trial: the server or all workers are lost.
void Driver::job_ended(int64_t number) {
  if (signal_) return;  // --resume collects it
  const Trial& ended = trial(number);
  const Engine engine = plan_of(ended).engine;
  const std::optional<int> code = exit_code_of_job(engine);
  if (!code)
    throw Error(ErrorCode::trials_failed,
                "trial " + std::to_string(number) + ": " + last_problem(engine.folder / "job.txt").message +
                    "; once that is mended, go on with host sweep --resume " + shell_word(folder_.path.string()));
  if (*code == 0) return record(ended, read_result(folder_.run(ended.run()), settings_.metric, settings_.maximizes()));
  const std::string problem = last_problem(folder_.output(ended.run())).message;
  fail(ended, *code > 128 ? way_of_ending(*code - 128) : problem.empty() ? way_of_ending(*code << 8) : problem);
}

void Driver::record(const Trial& ended, const RunResult& result) {
  if (result.how != RunResult::How::done || !result.value) return fail(ended, result.problem);
  const int64_t number = ended.number;
  if (schedule_->pauses(ended)) {
    journal_.reach(number, ended.epochs(), *result.value);
    table_.row(trial(number), "epoch " + std::to_string(trial(number).epochs()));
    return;
  }
  std::map<int64_t, double> values = result.at_epoch;
  if (ended.epochs() > 0) values[ended.epochs()] = *result.value;
  for (const auto& [epoch, value] : ended.at_epoch) values[epoch] = value;
  journal_.end(number, TrialState::complete, result.value, values, "");
  table_.row(trial(number), "complete");
}

void Driver::fail(const Trial& ended, const std::string& problem) {
  const int64_t number = ended.number;
  journal_.end(number, TrialState::failed, std::nullopt, {}, problem.empty() ? "failed" : problem);
  table_.row(trial(number), "failed");
  refuse_to_repeat();
}

void Driver::refuse_to_repeat() {
  const Study& study = journal_.study();
  const bool some_value = std::any_of(study.trials.begin(), study.trials.end(),
                                      [](const Trial& trial) { return trial.value || !trial.at_epoch.empty(); });
  if (some_value || study.count(TrialState::failed) < most_first_failures) return;
  throw Error(ErrorCode::trials_failed, "the first " + std::to_string(most_first_failures) +
                                            " trials have failed, so the sweep ends; their output is in " +
                                            (folder_.path / "output").string());
}

void Driver::close_paused() {
  for (size_t i = 0; i < journal_.study().trials.size(); ++i) {
    const Trial& paused = journal_.study().trials[i];
    if (!paused.is_paused()) continue;
    const double value = paused.at_epoch.at(paused.epochs());
    journal_.end(paused.number, TrialState::pruned, value, {}, "");
  }
}

// The first Ctrl-C, and any other signal, lets the trials save a checkpoint. A second one ends them at once. Trials on
// workers go on, and the sweep that goes on gets their results.
void Driver::handle_signals() {
  for (const int signal : signals_.read()) {
    if (signal == SIGCHLD) continue;
    const bool again = signal_ != 0;
    signal_ = signal;
    for (const Running& run : running_) ::kill(run.pid, again || is_remote() ? SIGKILL : SIGTERM);
    if (is_remote() && !running_.empty())
      table_.say(std::to_string(running_.size()) + " trials go on, on their workers");
    else if (!again && !running_.empty())
      table_.say(std::string(name_of_signal(signal)) + ": " + std::to_string(running_.size()) +
                 " running trials save a checkpoint; once more ends them at once");
  }
}

}  // namespace levin::core::sweep
