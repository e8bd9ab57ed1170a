// Saves checkpoints: the best k by a metric, the last one, or all. The rules are in top_k, file_name and trigger.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "file_name.hpp"
#include "folder.hpp"
#include "levin/callback.hpp"
#include "levin/processes.hpp"
#include "levin/util/clock.hpp"
#include "levin/util/text.hpp"
#include "options.hpp"
#include "state.hpp"
#include "top_k.hpp"

namespace levin::model_checkpoint {
namespace {

class ModelCheckpoint : public Callback {
 public:
  static constexpr const auto& options = schema;
  static constexpr uint64_t flags = LEVIN_F_LAST | LEVIN_F_MONITOR | LEVIN_F_OFF_IN_FAST_DEV_RUN;
  static constexpr levin_flag claims[] = {{"enable_checkpointing", nullptr, "save checkpoints"}};

  explicit ModelCheckpoint(const Args& args)
      : settings_(settings_of(args)),
        monitor_(args, name()),
        trigger_(settings_.trigger),
        top_(settings_.save_top_k, settings_.maximize) {
    name_.pattern = settings_.filename;
    name_.auto_insert_metric_name = settings_.auto_insert;
    name_.name({});  // throws for a wrong pattern now instead of after the first epoch
  }

  void setup(const Event& event) {
    if (event.stage() != Stage::fit) return;
    fitting_ = true;
    folder_ = Folder(settings_.dirpath.empty() ? event.run().run_dir() + "/checkpoints" : settings_.dirpath);
    event.run().saves_in(folder_.path());
    restore();
  }
  // Finishes what was pending when the checkpoint was saved. The run is at the same position now.
  void on_pretrain_routine_end(const Event& event) {
    if (!fitting_ || !goes_on_) return;
    started_ = true;
    folder_.abandon_after(event.run().resumed_from(), event.run().run_uid());
    if (last_due_) last_due_ = !has_saved_last(event.run());
    if (announce_due_ && std::filesystem::exists(newest_)) announce(event);
    remove_due(event);
    if (last_due_) save_last(event, agreed(event));
  }
  void on_train_start(const Event& event) {
    if (settings_.save_top_k != 0 && best_.empty() && folder_.has_checkpoints_of_others(event.run().run_uid()))
      warn("the folder " + folder_.path() + " has checkpoints of another run: they are kept");
    if (!best_.empty() && folder_.owns(best_) && std::filesystem::exists(best_) && !has_best(event.run()))
      announce(event);  // the index of a resumed run may lack the file
    trigger_.start(clock(event), seconds_before_);
    started_ = true;
  }

  void on_train_batch_end(const Event& event) {
    epoch_ = event.epoch();
    if (!trigger_.by_batch() || !trigger_.due_after_batch(event.global_step(), clock(event))) return;
    if (skips(event)) return;
    const Candidates metrics = agreed(event);
    const bool waits = monitor_.waits() && lacks_monitor(metrics);
    if (waits || (!monitor_.name().empty() && validation_follows(event))) {
      deferred_ = true;  // save when the metric is logged again
      if (waits) warn_missing(event, metrics, ". Nothing is saved until it is logged");
      return;
    }
    save_top_and_last(event, metrics);
  }
  void on_train_epoch_end(const Event& event) {
    epoch_ended_ = true;
    if (!skips(event) && trigger_.saves_on_train_epoch_end(plan(event.run()))) save_epoch(event);
  }
  void on_validation_end(const Event& event) {
    if (!fitting_ || event.stage() == Stage::sanity) return;
    validated_ = true;
    if (skips(event) || trigger_.saves_on_train_epoch_end(plan(event.run()))) return;
    if (!deferred_) return save_epoch(event);
    deferred_ = false;
    save_top_and_last(event, agreed(event));
  }
  void on_train_end(const Event& event) {
    if (!epoch_) return;  // nothing was trained
    Candidates metrics = agreed(event);
    metrics["epoch"] = Number{static_cast<double>(*epoch_), true};  // event.epoch() has not started
    const bool lacks = settings_.save_top_k != 0 && lacks_monitor(metrics) && !scored(best_);
    if (!monitor_.waits() && lacks && best_.empty() && !skips(event)) {
      if (!monitor_.is_strict(event.run()))
        warn_missing(event, metrics, ". It did not come before the end: the newest checkpoint is kept");
      save_newest(event, metrics);
    }
    if (newest_.empty()) save_last(event, metrics);
    if (lacks && monitor_.fails_at_end(event.run())) throw_missing(metrics);
    if (lacks && monitor_.waits()) warn_missing(event, metrics, ". Nothing was saved");
  }
  void on_exception(const Event& event) {
    const Run run = event.run();
    if (!settings_.save_on_exception || !started_ || event.global_step() == saved_step_) return;
    if (run.fast_dev_run() || run.sanity_checking()) return;
    const Candidates metrics = candidates(event);
    const std::string path = name_.path(folder_.path(), metrics);
    last_due_ = true;
    save_file(event, metrics, path);
    save_last(event, metrics);
    run.wait_for_checkpoints();
    if (is_first_process(run)) info("saved " + path + " because the run failed");
  }
  void on_checkpoint_durable(const Event& event) {
    if (event.text() == writing_) writing_.clear();
    if (!unlinked_.empty() && event.text() == unlinked_) link_last(event.run());
  }
  void teardown() {
    fitting_ = started_ = goes_on_ = false;
    epoch_.reset();
  }

  void save(Writer writer) const { write_state(writer, state()); }
  void load(Reader reader) {
    loaded_ = read_state(reader);
    if (!folder_.path().empty()) restore();
  }

 private:
  // Returns rank 0's answer: other ranks may lack the folder, and either all ranks save or none.
  bool has_saved_last(const Run& run) const {
    return of_first(run, folder_.same_save(last_, run.resumed_from()) ? 1.0 : 0.0) != 0;
  }
  static bool has_best(const Run& run) {
    const auto all = run.list_checkpoints();
    return std::any_of(all.begin(), all.end(), [](const Saved& c) { return c.best; });
  }
  static ValidationPlan plan(const Run& run) {
    return {run.val_check_interval(), run.check_val_every_n_epoch(),
            [run] { return run.validates() ? run.num_val_batches() : 0; }};
  }

  bool skips(const Event& event) const {
    if (!fitting_ || event.global_step() == saved_step_ || event.run().fast_dev_run()) return true;
    // Only rank 0 knows whether the previous file is written.
    return settings_.async == Async::skip && of_first(event.run(), writing_.empty() ? 0.0 : 1.0) > 0;
  }

  // Returns true if this batch is the last of the epoch and a validation runs before the epoch is saved.
  bool validation_follows(const Event& event) const {
    const Run run = event.run();
    const ValidationPlan p = plan(run);
    if (trigger_.saves_on_train_epoch_end(p) || !run.is_last_batch()) return false;
    const double every = p.check_val_every_n_epoch;
    if (every > 0 && std::fmod(static_cast<double>(event.epoch() + 1), every) != 0) return false;
    return p.num_val_batches() > 0;
  }

  // Returns the logged metrics with epoch and step, which are always integers.
  static Candidates candidates(const Event& event) {
    Candidates all;
    for (const auto& [name, value] : event.run().metrics()) all[name] = {value, false};
    all.emplace("epoch", Number{static_cast<double>(event.epoch()), true});
    all.emplace("step", Number{static_cast<double>(event.global_step()), true});
    for (const char* name : {"epoch", "step"}) all[name] = {std::trunc(all[name].value), true};
    return all;
  }

  // Returns rank 0's candidates, so that all ranks save alike. Reading the monitored metric warns if it was not
  // reduced.
  Candidates agreed(const Event& event) {
    Candidates all = of_first_process(event);
    if (monitor_.follow_first_loader(event.run(), all)) info(monitor_.followed_text());
    return all;
  }
  Candidates of_first_process(const Event& event) const {
    const Run run = event.run();
    const Candidates mine = candidates(event);
    if (run.world_size() == 1) return mine;
    if (!monitor_.name().empty()) run.metric(monitor_.name());
    std::string text;
    for (const auto& [name, number] : mine) text += name + '\n' + shortest(number.value) + '\n';
    Candidates all;
    const std::string first = of_first(run, text);
    for (size_t at = 0; at < first.size();) {
      const size_t name_end = first.find('\n', at), end = first.find('\n', name_end + 1);
      const std::string name = first.substr(at, name_end - at);
      const bool integral = name == "epoch" || name == "step";
      all[name] = {std::strtod(first.c_str() + name_end + 1, nullptr), integral};
      at = end + 1;
    }
    return all;
  }
  // With a time interval all ranks use rank 0's clock.
  double clock(const Event& event) const {
    return settings_.trigger.train_time_interval ? of_first(event.run(), steady_seconds()) : steady_seconds();
  }

  void save_epoch(const Event& event) {
    const Candidates metrics = agreed(event);
    const bool due = trigger_.due_after_epoch(event.epoch());
    last_due_ = due;
    if (due) save_top(event, metrics);
    const bool wants_last =
        (settings_.last == Last::always && due) || (settings_.last == Last::link && !newest_.empty());
    if (wants_last || saved_step_ == event.global_step()) save_last(event, metrics);
    last_due_ = false;
  }
  void save_top_and_last(const Event& event, const Candidates& metrics) {
    last_due_ = true;
    save_top(event, metrics);
    save_last(event, metrics);
  }

  void save_top(const Event& event, const Candidates& metrics) {
    if (settings_.save_top_k == 0) return;
    if (monitor_.name().empty()) return save_newest(event, metrics);
    const auto found = metrics.find(monitor_.name());
    if (found == metrics.end()) return missing(event, metrics);
    const double score = found->second.value;
    if (!top_.wants(score)) {
      if (settings_.verbose)
        info("step " + std::to_string(event.global_step()) + ": " + monitor_.name() + " = " + shortest(score) +
             " is not among the best " + std::to_string(settings_.save_top_k));
      return;
    }
    const std::string gone = top_.evicted();
    if (!settled(event)) return;
    const std::string path = free_path(metrics, gone);
    top_.add(path, score);
    best_ = top_.state().best_path;
    if (settings_.verbose) info(monitor_.name() + " = " + shortest(score) + ": saving " + path);
    remove_after(gone, path);
    if (settings_.save_top_k > 0) remove_after(std::exchange(unscored_, ""), path);
    save_file(event, metrics, path);
    remove_due(event);
  }

  // Waits for pending files, because the names of files to remove are free only after the removal. Returns false if a
  // file could not be written: the run then ends after this batch, and nothing more is saved.
  static bool settled(const Event& event) try {
    event.run().wait_for_checkpoints();
    return true;
  } catch (const Error&) {
    return false;
  }

  // A checkpoint without a score does not replace the best one by score.
  void save_newest(const Event& event, const Candidates& metrics) {
    const std::string before = monitor_.name().empty() ? best_ : unscored_;
    if (!settled(event)) return;
    const std::string path = free_path(metrics, before);
    if (monitor_.name().empty() || !scored(best_)) best_ = path;
    if (!monitor_.name().empty()) unscored_ = path;
    if (settings_.save_top_k > 0) remove_after(before, path);
    save_file(event, metrics, path);
    remove_due(event);
  }
  bool scored(const std::string& path) const {
    const auto& models = top_.state().models;
    return std::any_of(models.begin(), models.end(), [&](const auto& model) { return model.first == path; });
  }

  bool lacks_monitor(const Candidates& metrics) const {
    return !monitor_.name().empty() && !metrics.count(monitor_.name());
  }
  [[noreturn]] void throw_missing(const Candidates& metrics) const {
    throw Error(LEVIN_E_NOT_FOUND, monitor_.missing_text(metrics) + monitor_.advice());
  }
  // With `strict` a validation must log the metric. Without it the metric may be logged until the end of an epoch.
  bool is_due(const Run& run) const {
    return monitor_.waits() ? validated_ : epoch_ended_ && (validated_ || !run.validates());
  }
  void missing(const Event& event, const Candidates& metrics) {
    if (monitor_.is_strict(event.run()) && is_due(event.run())) throw_missing(metrics);
    warn_missing(event, metrics,
                 monitor_.waits() ? ". Nothing is saved until it is logged"
                                  : ". The newest checkpoint is kept until it is logged");
    if (!monitor_.waits()) save_newest(event, metrics);
  }
  void warn_missing(const Event& event, const Candidates& metrics, const char* effect) {
    if (monitor_.is_expected(event.run()) && !std::exchange(warned_, true))
      warn(monitor_.missing_text(metrics) + effect + "; " + monitor_.choice());
  }

  // Names last.ckpt before an earlier file of the same step is saved, so that the state in that file contains the name.
  void name_last(const Candidates& metrics) {
    if (settings_.last == Last::none) return;
    FileName name = name_;
    name.pattern = "last";
    const auto of = [&](int v) { return name.path(folder_.path(), metrics, v ? std::optional<int>(v) : std::nullopt); };
    const std::string before = std::exchange(last_, settings_.versions ? folder_.free_name(of, last_) : of(0));
    remove_after(before, last_);
  }

  void save_last(const Event& event, const Candidates& metrics) {
    last_due_ = false;
    if (settings_.last == Last::none) return;
    name_last(metrics);
    if (settings_.last == Last::link && !newest_.empty() && settings_.save_top_k != 0) {
      unlinked_ = newest_;
      if (std::filesystem::exists(newest_)) link_last(event.run());
    } else {
      save_file(event, metrics, last_);
    }
    announce(event);
    remove_due(event);
  }

  void link_last(const Run& run) {
    if (is_first_process(run)) link_file(unlinked_, last_);
    folder_.written(last_);
    unlinked_.clear();
  }

  std::string free_path(const Candidates& metrics, const std::string& allowed) const {
    const auto of = [&](int v) {
      return name_.path(folder_.path(), metrics, v ? std::optional<int>(v) : std::nullopt);
    };
    return settings_.versions ? folder_.free_name(of, allowed) : of(0);
  }

  // Describes the file at the save as it is announced afterwards, for the loggers.
  Saved describe(const Candidates& metrics, const std::string& path) const {
    Saved what;
    what.path = path;
    what.best = path == best_ && best_counts();
    what.last = path == last_ || settings_.last == Last::none || settings_.last == Last::link;
    what.monitor = monitor_.name();
    what.larger_is_better = settings_.maximize;
    const auto score = metrics.find(monitor_.name());
    if (!monitor_.name().empty() && score != metrics.end()) what.score = score->second.value;
    return what;
  }

  // The second file of a step has the same content as the first: no training happens in between.
  void save_file(const Event& event, const Candidates& metrics, const std::string& path) {
    const bool again = std::exchange(saved_step_, event.global_step()) == event.global_step();
    if (last_due_ && path != last_) name_last(metrics);
    if (!again || newest_.empty()) newest_ = path;  // recorded in both files
    announce_due_ = true;
    const bool async = settings_.async != Async::off;
    if (async) writing_ = path;
    event.run().save_checkpoint(describe(metrics, path), (settings_.weights_only ? LEVIN_SAVE_WEIGHTS_ONLY : 0u) |
                                                             (async ? LEVIN_SAVE_ASYNC : 0u) |
                                                             (again ? LEVIN_SAVE_SAME : 0u));
    folder_.written(path);
    announce(event);
  }

  void announce(const Event& event) {
    announce_due_ = false;
    Saved best;
    best.path = best_;
    best.best = true;
    best.monitor = monitor_.name();
    best.score = top_.state().best_score.value_or(best.score);
    best.larger_is_better = settings_.maximize;
    if (best_counts()) event.run().announce_checkpoint(best);
    const std::string& last = last_.empty() || !unlinked_.empty() ? newest_ : last_;
    const bool follows = last_due_ && settings_.last != Last::none;  // last_ is announced when it is saved
    if (!last.empty() && !follows) event.run().announce_checkpoint({last, false, true});
  }

  // A NaN score is stored as the worst possible score. A file with such a score is not announced as the best.
  bool best_counts() const { return !best_.empty() && std::isfinite(top_.state().best_score.value_or(0)); }

  // Files are removed when the next file is on the disk. They are part of the state, for a run that is killed in
  // between.
  void remove_after(const std::string& path, const std::string& current) {
    if (!path.empty() && path != current) to_remove_.push_back(path);
  }
  void remove_due(const Event& event) {
    for (const std::string& path : std::exchange(to_remove_, {})) {
      if (!folder_.owns(path)) continue;
      event.run().remove_checkpoint(path);
      folder_.removed(path);
    }
  }

  State state() const {
    State s;
    s.monitor = monitor_.name();
    s.dirpath = folder_.path();
    s.best_path = best_;
    s.last_path = last_;
    s.top = top_.state();
    s.newest_path = newest_;
    s.unscored_path = unscored_;
    s.to_remove = to_remove_;
    s.last_due = last_due_;
    s.announce_due = announce_due_;
    s.validated = validated_;
    s.deferred = deferred_;
    s.saved_step = saved_step_;
    s.epoch = epoch_.value_or(-1);
    s.seconds_since_last = started_ ? trigger_.since(steady_seconds()) : seconds_before_;
    return s;
  }

  // Restores the state of an earlier run, once both the state and the folder are known.
  void restore() {
    if (!loaded_) return;
    State s = *std::exchange(loaded_, std::nullopt);
    monitor_.follow(s.monitor);
    if (s.dirpath != folder_.path()) follow(s);
    best_ = s.best_path;
    if (s.dirpath != folder_.path())
      return warn("the folder was " + s.dirpath + " and is " + folder_.path() +
                  ": of the earlier files only the best is known");
    top_.restore(s.top);
    last_ = s.last_path;
    newest_ = s.newest_path;
    unscored_ = s.unscored_path;
    const bool of_older_release = newest_.empty() && !best_.empty();
    if (of_older_release && s.monitor == monitor_.name() && !scored(best_)) unscored_ = best_;
    to_remove_ = s.to_remove;
    last_due_ = s.last_due;
    announce_due_ = s.announce_due;
    validated_ = s.validated;
    deferred_ = s.deferred;
    saved_step_ = s.saved_step;
    if (s.epoch >= 0) epoch_ = s.epoch;
    seconds_before_ = s.seconds_since_last;
    goes_on_ = true;
  }

  // Updates the paths if the run folder was moved or copied with its files.
  void follow(State& s) const {
    bool found = false;
    const auto move = [&](std::string& path) {
      const std::string now = path.empty() ? path : folder_.moved(path, s.dirpath);
      found = found || now != path;
      path = now;
    };
    move(s.best_path), move(s.last_path), move(s.newest_path), move(s.unscored_path);
    move(s.top.best_path), move(s.top.kth_path);
    for (auto& model : s.top.models) move(model.first);
    for (std::string& path : s.to_remove) move(path);
    if (found) s.dirpath = folder_.path();
  }

  Settings settings_;
  Monitor monitor_;
  FileName name_;
  Trigger trigger_;
  TopK top_;
  Folder folder_;
  std::optional<State> loaded_;
  std::string best_, last_, newest_;
  std::string unscored_;                // the newest checkpoint that was saved without its metric
  std::string unlinked_;                // the file that last_ will link to when it is on the disk
  std::vector<std::string> to_remove_;  // removed when the checkpoint that is being saved is on the disk
  std::string writing_;                 // the file that may not be on the disk yet
  bool announce_due_ = false;           // newest_ is being written and is announced afterwards
  bool last_due_ = false;               // last_ is to be saved next, in the same step
  bool goes_on_ = false;                // the state was loaded from a checkpoint of this run
  double seconds_before_ = 0;           // time already spent in the interval when that checkpoint was saved
  int64_t saved_step_ = 0;              // 0 at the start: nothing to save before the first step
  bool started_ = false;                // a resumed fit has restored its checkpoint completely
  std::optional<int64_t> epoch_;        // the epoch of the last batch
  bool fitting_ = false, validated_ = false, deferred_ = false, warned_ = false, epoch_ended_ = false;
};

}  // namespace
}  // namespace levin::model_checkpoint

LEVIN_PLUGIN("levin.model_checkpoint", "0.1.0", "Apache-2.0",
             levin::callback<levin::model_checkpoint::ModelCheckpoint>("model_checkpoint",
                                                                       "Saves the best and the last checkpoints"));
