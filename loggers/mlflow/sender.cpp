#include "sender.hpp"

#include <algorithm>
#include <csignal>
#include <random>

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

using Clock = std::chrono::steady_clock;
using Lock = std::unique_lock<std::mutex>;

constexpr auto every = std::chrono::seconds(1), quiet = std::chrono::seconds(2);
constexpr double longest_pause = 60;
constexpr size_t most_lines = 1000, bytes_read = 256 << 10;
constexpr int most_failed_uploads = 3;

// Returns the file if it lies in the folder and not elsewhere by a link; "" = else.
fs::path inside(const fs::path& folder, const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::canonical(folder / file, failed), root = fs::canonical(folder, failed);
  const auto differ = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return !failed && differ.first == root.end() && fs::is_regular_file(path, failed) ? path : fs::path();
}

// Signals are for the run's own threads. A connection that the server closes would raise SIGPIPE in this one.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, crash);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

// Removes a sent file, and the folders that it leaves empty.
void remove_sent(const fs::path& folder, fs::path file) {
  std::error_code failed;
  while (file != folder && fs::remove(file, failed) && !failed) file = file.parent_path();
}

}  // namespace

Sender::Sender(Parts parts)
    : parts_(std::move(parts)),
      api_(parts_.address, stopped_),
      most_lines_(most_lines),
      next_(Clock::now()),
      thread_([this] { run(); }) {}

Sender::~Sender() {
  {
    const Lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

bool Sender::finish(std::chrono::seconds longest, bool wait_for_files) {
  const auto begin = Clock::now();
  bool told = false;
  Lock lock(mutex_);
  finishing_ = hurry_ = true;
  gave_up_ = idle_ = false;
  changed_.notify_all();
  while (!idle_ && !gave_up_ && !ended_ && (Clock::now() < begin + longest || (wait_for_files && uploading_))) {
    changed_.wait_for(lock, every);
    if (idle_ || gave_up_ || ended_ || Clock::now() < begin + quiet || std::exchange(told, true)) continue;
    parts_.info("waiting up to " + std::to_string(longest.count()) + " s for MLflow's server");
  }
  return idle_;
}

// Whatever goes wrong here, the run goes on.
void Sender::run() {
  block_signals();
  try {
    loop();
  } catch (const std::exception& e) {
    parts_.warn("nothing more is sent to MLflow's server: " + std::string(e.what()));
  }
  const Lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void Sender::loop() {
  while (true) {
    bool finishing;
    {
      Lock lock(mutex_);
      changed_.wait_until(lock, next_, [&] { return stopped_ || hurry_; });
      if (stopped_) return;
      finishing = finishing_;
      hurry_ = false;
    }
    const bool nothing = parts_.spool->sent() >= parts_.spool->flushed();
    const Outcome outcome = nothing ? Outcome::done : send();
    pause_or_go_on(outcome);
    const Lock lock(mutex_);
    idle_ = parts_.spool->sent() >= parts_.spool->flushed();
    gave_up_ = finishing && outcome == Outcome::away;
    changed_.notify_all();
  }
}

void Sender::pause_or_go_on(Outcome outcome) {
  if (outcome != Outcome::away) {
    if (is_away_) parts_.info("MLflow's server " + parts_.address + " answers again");
    is_away_ = false;
    pause_ = 0;
    next_ = Clock::now();
    if (parts_.spool->sent() >= parts_.spool->flushed()) next_ += every;
    return;
  }
  if (!is_away_ && !stopped_)
    parts_.warn("MLflow's server " + parts_.address + " is away (" + api_.problem() + "); what is logged waits in " +
                parts_.spool->path().string());
  is_away_ = true;
  thread_local std::minstd_rand random(std::random_device{}());
  pause_ = std::min(longest_pause, std::max({1.0, 2 * pause_, api_.retry_after()}));
  const double jitter = std::uniform_real_distribution<double>(0.75, 1.25)(random);
  next_ = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(1000 * pause_ * jitter));
}

void Sender::warn_once(const char* what, const std::string& text) {
  if (warned_.insert(what).second) parts_.warn(text);
}

// A run that is made now gets everything that was ever logged, also after it was sent to another server.
Outcome Sender::open_run() {
  RunOnServer run;
  if (api_.open_run(parts_.experiment, parts_.run_name, parts_.uid, run) != Outcome::done) return Outcome::away;
  run_ = run;
  if (run.is_new) parts_.spool->set_sent(0);
  parts_.info("MLflow shows this run at " + parts_.address + "/#/experiments/" + run.experiment_id + "/runs/" +
              run.run_id);
  return Outcome::done;
}

Outcome Sender::send() {
  if (run_.run_id.empty()) return open_run();
  const uint64_t from = parts_.spool->sent();
  const std::string text = parts_.spool->read(from, bytes_read);
  if (text.empty()) {
    warn_once("read", "cannot read " + parts_.spool->path().string() + ": MLflow lacks what it held");
    parts_.spool->set_sent(parts_.spool->flushed());
    return Outcome::done;
  }
  const Batch batch = first_batch(text, most_lines_, run_.run_id);
  Outcome outcome = Outcome::done;
  if (batch.kind == Batch::log) outcome = api_.log_batch(batch.body);
  if (batch.kind == Batch::status) outcome = api_.update(batch.body);
  if (batch.kind == Batch::file) outcome = upload(batch);
  if (outcome == Outcome::away) return outcome;
  if (outcome == Outcome::refused && batch.lines > 1) {  // finds the line that is refused
    most_lines_ = batch.lines / 2;
    return outcome;
  }
  if (outcome == Outcome::refused && batch.kind != Batch::file)
    warn_once("refused", "MLflow's server refuses a part of what is logged, which is left out (" + api_.problem() +
                             "): " + cut_text(text.substr(0, batch.bytes - 1), 200));
  most_lines_ = std::min(most_lines, 2 * most_lines_);
  parts_.spool->set_sent(from + batch.bytes);
  return outcome;
}

// The lines behind a file wait for it. So it is left out when the server has answered several times that it cannot take
// it, and at the end of the run at once.
Outcome Sender::upload(const Batch& batch) {
  const fs::path file = inside(parts_.folder, batch.path);
  if (file.empty()) return Outcome::done;  // sent before
  uploading_ = true;
  Outcome outcome = api_.upload(run_, accepted_file_name(batch.name), file);
  uploading_ = false;
  failed_uploads_ = outcome == Outcome::away && api_.was_answered() ? failed_uploads_ + 1 : 0;
  if (failed_uploads_ >= (finishing_ ? 1 : most_failed_uploads)) outcome = Outcome::refused;
  if (outcome == Outcome::refused) {
    failed_uploads_ = 0;
    warn_once("file",
              "MLflow's server does not take files (" + api_.problem() + "): they stay in " + parts_.folder.string());
  }
  if (outcome == Outcome::done) remove_sent(fs::canonical(parts_.folder), file);
  return outcome;
}

}  // namespace levin::mlflow
