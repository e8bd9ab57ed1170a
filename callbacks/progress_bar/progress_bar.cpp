// Shows the progress of the run: one line that is redrawn in a terminal, or periodic lines in a file. Each epoch ends
// with a permanent line with its metrics.
#include <cmath>
#include <optional>
#include <utility>

#include "bar.hpp"
#include "dashboard.hpp"
#include "levin/callback.hpp"
#include "levin/util/clock.hpp"
#include "screen.hpp"

namespace levin::progress_bar {
namespace {

constexpr double between_messages = 0.5;  // seconds, to the dashboard
constexpr double between_lines = 60;      // seconds between the lines of epochs, with style dashboard

constexpr const char* styles[] = {"auto", "terminal", "plain", "dashboard", nullptr};

// A clock that is paused while validation uses the line.
class Stopwatch {
 public:
  void start(double now) { since_ = now, spent_ = 0; }
  void pause(double now) {
    spent_ = seconds(now);
    since_.reset();
  }
  void resume(double now) { since_ = now; }
  double seconds(double now) const { return spent_ + (since_ ? now - *since_ : 0); }

 private:
  std::optional<double> since_;  // nullopt = paused
  double spent_ = 0;
};

class ProgressBar : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("refresh_rate", "1", "redraw every N batches; 0 = no bar", 0, 1e15),
      number("refresh_interval", "0.1", "minimum seconds between two redraws", 0, 3600),
      choice("style", "\"auto\"",
             "terminal = one line that is redrawn, plain = lines for a file, dashboard = curves and keys", styles),
  };
  static constexpr levin_flag claims[] = {
      {"enable_progress_bar", nullptr, "show a progress bar"},
      {"progress", "style", "how progress is shown: auto, terminal, plain or dashboard"},
  };
  static constexpr uint64_t flags = LEVIN_F_ONE_ONLY;

  explicit ProgressBar(const Args& args)
      : on_(args.integer("refresh_rate") > 0),
        on_dashboard_(args.text("style") == "dashboard"),
        screen_(args.text("style") == "terminal" || (args.text("style") == "auto" && redraws_lines(1))),
        pace_(args.integer("refresh_rate"), on_dashboard_ ? between_messages : args.number("refresh_interval")),
        line_pace_(on_dashboard_ ? between_lines : 0) {}

  void on_train_start(const Event& event) {
    training_ = true;
    train_open_ = false;
    splits_batches_ = event.run().truncated_bptt_steps() > 0;
  }
  void on_train_epoch_start(const Event& event) { open_training(event, 0); }
  void on_batch_start(const Event& event) {
    if (on_dashboard_ && on_) dashboard_.before_batch(event.run(), batches_per_second(train_));
  }
  void on_train_batch_end(const Event& event) {
    if (!train_open_) open_training(event, event.batch_idx() + 1);  // the fit was resumed within an epoch
    advance(event, train_, train_watch_);
  }
  void on_after_backward(const Event& event) {
    if (splits_batches_ && train_open_) advance_split(event.run());
  }
  void on_train_epoch_end(const Event& event) {
    const bool was_open = train_open_;
    train_open_ = false;
    if (!on_ || !was_open) return;
    train_.seconds = train_watch_.seconds(steady_seconds());
    train_.metrics = event.run().metrics(LEVIN_METRIC_PROGRESS);
    if (line_pace_.due(steady_seconds())) screen_.line(epoch_lines(train_, screen_.columns()));
  }
  void on_train_end() {
    training_ = false;
    close();
  }

  void on_validation_start() { train_watch_.pause(steady_seconds()); }
  void on_validation_batch_start(const Event& event) {
    start_loader(event, event.stage() == Stage::sanity ? "Sanity check" : "Validation");
  }
  void on_validation_batch_end(const Event& event) { advance(event, eval_, eval_watch_); }
  void on_validation_end() {
    train_watch_.resume(steady_seconds());
    if (!training_) close();
  }
  void on_test_batch_start(const Event& event) { start_loader(event, "Testing"); }
  void on_test_batch_end(const Event& event) { advance(event, eval_, eval_watch_); }
  void on_test_end() { close(); }
  void on_predict_batch_start(const Event& event) { start_loader(event, "Predicting"); }
  void on_predict_batch_end(const Event& event) { advance(event, eval_, eval_watch_); }
  void on_predict_end() { close(); }
  // Ends the epoch's line with the metrics shown last.
  void on_exception() {
    const bool was_open = std::exchange(train_open_, false);
    train_.seconds = train_watch_.seconds(steady_seconds());
    if (on_ && was_open && train_.done > train_.before) screen_.line(epoch_lines(train_, screen_.columns()));
    close();
  }
  void teardown() { close(); }

 private:
  // done: the number of batches of this epoch that were done before.
  void open_training(const Event& event, int64_t done) {
    const Run run = event.run();
    const int64_t epochs = run.max_epochs();
    train_ = {"Epoch " + std::to_string(event.epoch() + 1), done, -1, 0, {}, done};  // counted from 1
    if (epochs > 0) train_.title += "/" + std::to_string(epochs);
    train_.total = total_batches(run.num_training_batches(), static_cast<double>(epochs),
                                 static_cast<double>(run.max_steps()), event.global_step() - done);
    train_open_ = true;
    open(run, train_, train_watch_);
  }

  void start_loader(const Event& event, const char* title) {
    if (event.batch_idx() != 0) return;
    const std::string loader = event.dataloader_idx() > 0 ? " " + std::to_string(event.dataloader_idx()) : "";
    eval_ = {title + loader, 0, event.n_batches(), 0, {}, 0};
    open(event.run(), eval_, eval_watch_);
  }

  void open(const Run& run, Progress& progress, Stopwatch& watch) {
    if (run.verbosity() < 0 || !is_first_process(run)) screen_.silence();
    if (on_dashboard_ && on_) dashboard_.connect(is_first_process(run));
    const double t = steady_seconds();
    watch.start(t);
    read_clock_at_ = 0;
    plain_pace_.start(t);
    if (dashboard_.open() ? pace_.due_between(t) : redraws() && pace_.due(progress.done, progress.total, t))
      show(run, progress);
  }

  void advance(const Event& event, Progress& progress, Stopwatch& watch) {
    progress.done = event.batch_idx() + 1;
    progress.split = progress.splits = 0;
    if (progress.done < read_clock_at_ && progress.done != progress.total) return;
    if (!pace_.candidate(progress.done, progress.total)) return;
    const double t = steady_seconds();
    const bool due = dashboard_.open() ? pace_.due_between(t)
                     : redraws()       ? pace_.due(progress.done, progress.total, t)
                                       : plain_pace_.due(progress.exactly_done(), progress.total, t);
    progress.seconds = watch.seconds(t);
    const double wait = redraws() ? pace_.wait(t) : plain_pace_.wait(t);
    read_clock_at_ = progress.done + batches_to_skip(progress.done - progress.before, progress.seconds, wait);
    if (!due) return;
    show(event.run(), progress);
  }

  void advance_split(const Run& run) {
    train_.split = run.split_idx() + 1;
    train_.splits = run.num_splits();
    const double t = steady_seconds();
    train_.seconds = train_watch_.seconds(t);
    if (redraws() ? pace_.due_between(t) : on_ && plain_pace_.due(train_.exactly_done(), train_.total, t))
      show(run, train_);
  }

  bool redraws() const { return screen_.terminal() || dashboard_.open(); }

  void show(const Run& run, Progress& progress) {
    if (dashboard_.open()) return dashboard_.show(run, progress);
    progress.metrics = run.metrics(LEVIN_METRIC_PROGRESS);
    if (screen_.terminal())
      screen_.draw(terminal_line(progress, screen_.width()));
    else
      screen_.line(plain_line(progress));
  }

  void close() { screen_.clear(); }

  bool on_, training_ = false, train_open_ = false, splits_batches_ = false;
  const bool on_dashboard_;
  Dashboard dashboard_;
  Screen screen_;
  Pace pace_;
  LinePace line_pace_;
  PlainPace plain_pace_;
  Progress train_, eval_;
  Stopwatch train_watch_, eval_watch_;
  int64_t read_clock_at_ = 0;  // the next batch at which the clock is read
};

}  // namespace
}  // namespace levin::progress_bar

LEVIN_PLUGIN("levin.progress_bar", "0.1.0", "Apache-2.0",
             levin::callback<levin::progress_bar::ProgressBar>("progress_bar", "Shows a progress bar"));
