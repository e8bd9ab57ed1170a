// Saves checkpoints: the best k by a metric, the last, or all. The rules are in top_k, file_name and trigger.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "file_name.hpp"
#include "folder.hpp"
#include "levin/callback.hpp"
#include "levin/clock.hpp"
#include "levin/text.hpp"
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
      : s_(settings_of(args)), trigger_(s_.trigger), top_(s_.save_top_k, s_.maximize) {
    name_.pattern = s_.filename;
    name_.auto_insert_metric_name = s_.auto_insert;
    name_.name({});  // a wrong template is refused now, not after the first epoch
  }

  void setup(const Event& event) {
    if (event.stage() != Stage::fit) return;
    fitting_ = true;
    folder_ = Folder(s_.dirpath.empty() ? event.run().text("run_dir") + "/checkpoints" : s_.dirpath);
    adopt();
  }
  void on_train_start(const Event& event) {
    if (s_.save_top_k != 0 && best_.empty() && folder_.has_files())
      warn("the folder " + folder_.path() + " is not empty: its files are kept");
    if (!best_.empty() && folder_.owns(best_) && std::filesystem::exists(best_))
      announce(event);  // the run may know it no longer
    trigger_.start(steady_seconds());
    started_ = true;
  }

  void on_train_batch_end(const Event& event) {
    epoch_ = event.epoch();
    if (!trigger_.by_batch() || !trigger_.due_after_batch(event.global_step(), steady_seconds())) return;
    if (skips(event)) return;
    const Candidates metrics = candidates(event);
    const bool waits = s_.strict && lacks_monitor(metrics);
    if (waits || (!s_.monitor.empty() && validation_follows(event))) {
      deferred_ = true;  // until the metric is there, and fresh
      if (waits) warn_once(not_logged(metrics) + ". Nothing is saved until it is there");
      return;
    }
    save_top(event, metrics);
    save_last(event, metrics);
  }
  void on_train_epoch_end(const Event& event) {
    if (!skips(event) && trigger_.saves_on_train_epoch_end(plan(event.run()))) save_epoch(event);
  }
  void on_validation_end(const Event& event) {
    if (!fitting_ || event.stage() == Stage::sanity) return;
    validated_ = true;
    if (skips(event) || trigger_.saves_on_train_epoch_end(plan(event.run()))) return;
    if (!deferred_) return save_epoch(event);
    deferred_ = false;
    const Candidates metrics = candidates(event);
    save_top(event, metrics);
    save_last(event, metrics);
  }
  void on_train_end(const Event& event) {
    if (!epoch_) return;  // nothing was trained
    Candidates metrics = candidates(event);
    metrics["epoch"] = Number{static_cast<double>(*epoch_), true};  // that of the event has not begun
    if (!s_.strict && s_.save_top_k != 0 && best_.empty() && lacks_monitor(metrics) && !skips(event)) {
      warn_once("monitors '" + s_.monitor + "', which was not logged before the end: the newest checkpoint is kept");
      save_newest(event, metrics);
    }
    if (newest_.empty()) save_last(event, metrics);
  }
  void on_exception(const Event& event) {
    const Run run = event.run();
    if (!s_.save_on_exception || !started_ || event.global_step() == saved_step_) return;
    if (run.is("fast_dev_run") || run.is("sanity_checking")) return;
    const Candidates metrics = candidates(event);
    const std::string path = name_.path(folder_.path(), metrics);
    save_file(event, path);
    save_last(event, metrics);
    info("saved " + path + " because the run failed");
  }
  void on_checkpoint_durable(const Event& event) {
    if (!unlinked_.empty() && event.text() == unlinked_) link_last();
  }
  void teardown() {
    fitting_ = started_ = false;
    epoch_.reset();
  }

  void save(Writer writer) const { write_state(writer, state()); }
  void load(Reader reader) {
    loaded_ = read_state(reader);
    if (!folder_.path().empty()) adopt();
  }

 private:
  static double number_or_nan(const Run& run, const char* name) {
    double value;
    return run.trainer().number(run.raw(), name, &value) == LEVIN_OK ? value : std::nan("");
  }
  static ValidationPlan plan(const Run& run) {
    return {number_or_nan(run, "val_check_interval"), number_or_nan(run, "check_val_every_n_epoch"),
            [run] { return run.is("validates") ? run.integer("num_val_batches") : 0; }};
  }

  bool skips(const Event& event) const {
    return !fitting_ || event.global_step() == saved_step_ || event.run().is("fast_dev_run");
  }

  // Whether this batch is the epoch's last and a validation comes before the epoch is saved.
  bool validation_follows(const Event& event) const {
    const Run run = event.run();
    const ValidationPlan p = plan(run);
    if (trigger_.saves_on_train_epoch_end(p) || !run.is("is_last_batch")) return false;
    const double every = p.check_val_every_n_epoch;
    if (every > 0 && std::fmod(static_cast<double>(event.epoch() + 1), every) != 0) return false;
    return p.num_val_batches() > 0;
  }

  // The logged metrics, with epoch and step, which are integers unless the user logs them.
  static Candidates candidates(const Event& event) {
    Candidates all;
    for (const auto& [name, value] : event.run().metrics()) all[name] = {value, false};
    all.emplace("epoch", Number{static_cast<double>(event.epoch()), true});
    all.emplace("step", Number{static_cast<double>(event.global_step()), true});
    for (const char* name : {"epoch", "step"}) all[name] = {std::trunc(all[name].value), true};
    return all;
  }

  void save_epoch(const Event& event) {
    const Candidates metrics = candidates(event);
    const bool due = trigger_.due_after_epoch(event.epoch());
    if (due) save_top(event, metrics);
    const bool wants_last = (s_.last == Last::always && due) || (s_.last == Last::link && !newest_.empty());
    if (wants_last || saved_step_ == event.global_step()) save_last(event, metrics);
  }

  void save_top(const Event& event, const Candidates& metrics) {
    if (s_.save_top_k == 0) return;
    if (s_.monitor.empty()) return save_newest(event, metrics);
    const auto found = metrics.find(s_.monitor);
    if (found == metrics.end()) return missing(event, metrics);
    const double score = found->second.value;
    if (!top_.wants(score)) {
      if (s_.verbose)
        info("step " + std::to_string(event.global_step()) + ": " + s_.monitor + " = " + shortest(score) +
             " is not among the best " + std::to_string(s_.save_top_k));
      return;
    }
    const std::string gone = top_.evicted();
    const std::string path = free_path(metrics, gone);
    top_.add(path, score);
    best_ = top_.state().best_path;
    if (s_.verbose) info(s_.monitor + " = " + shortest(score) + ": saving " + path);
    save_file(event, path);
    remove(event, gone, path);
    if (s_.save_top_k == 1) remove(event, std::exchange(unscored_, ""), path);
  }

  // What was the best by its score stays the best, and is not removed for a file that has none.
  void save_newest(const Event& event, const Candidates& metrics) {
    const std::string before = s_.monitor.empty() ? best_ : unscored_;
    const std::string path = free_path(metrics, before);
    if (s_.monitor.empty() || !scored(best_)) best_ = path;
    if (!s_.monitor.empty()) unscored_ = path;
    save_file(event, path);
    if (s_.save_top_k == 1) remove(event, before, path);
  }
  bool scored(const std::string& path) const {
    const auto& models = top_.state().models;
    return std::any_of(models.begin(), models.end(), [&](const auto& model) { return model.first == path; });
  }

  bool lacks_monitor(const Candidates& metrics) const { return !s_.monitor.empty() && !metrics.count(s_.monitor); }
  std::string not_logged(const Candidates& metrics) const {
    return "monitors '" + s_.monitor + "', which was not logged; logged are: " + names_of(metrics);
  }
  void missing(const Event& event, const Candidates& metrics) {
    if (!s_.strict) {
      warn_once(not_logged(metrics) + ". Until it is there the newest checkpoint is kept");
      return save_newest(event, metrics);
    }
    if (validated_) throw Error(LEVIN_E_NOT_FOUND, not_logged(metrics) + ". Choose one with `monitor`");
    warn_once(not_logged(metrics) + ". Nothing is saved until it is there");
  }
  void warn_once(const std::string& message) {
    if (!std::exchange(warned_, true)) warn(message);
  }

  void save_last(const Event& event, const Candidates& metrics) {
    if (s_.last == Last::none) return;
    FileName name = name_;
    name.pattern = "last";
    const auto of = [&](int v) { return name.path(folder_.path(), metrics, v ? std::optional<int>(v) : std::nullopt); };
    const std::string before = last_;
    last_ = s_.versions ? folder_.free_name(of, last_) : of(0);
    if (s_.last == Last::link && !newest_.empty() && s_.save_top_k != 0) {
      unlinked_ = newest_;
      if (std::filesystem::exists(newest_)) link_last();
    } else {
      save_file(event, last_);
    }
    announce(event);
    remove(event, before, last_);
  }

  void link_last() {
    link_file(unlinked_, last_);
    folder_.written(last_);
    unlinked_.clear();
  }

  std::string free_path(const Candidates& metrics, const std::string& allowed) const {
    const auto of = [&](int v) {
      return name_.path(folder_.path(), metrics, v ? std::optional<int>(v) : std::nullopt);
    };
    return s_.versions ? folder_.free_name(of, allowed) : of(0);
  }

  void save_file(const Event& event, const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    newest_ = path;
    saved_step_ = event.global_step();
    event.run().save_checkpoint(path, s_.weights_only);
    folder_.written(path);
    announce(event);
  }

  void announce(const Event& event) const {
    const double none = std::nan("");
    if (!best_.empty()) event.run().announce_checkpoint("best", best_, top_.state().best_score.value_or(none));
    const std::string& last = last_.empty() || !unlinked_.empty() ? newest_ : last_;
    if (!last.empty()) event.run().announce_checkpoint("last", last, none);
  }

  void remove(const Event& event, const std::string& path, const std::string& current) {
    if (path.empty() || path == current || !folder_.owns(path)) return;
    event.run().remove_checkpoint(path);
    folder_.removed(path);
  }

  State state() const { return {s_.monitor, folder_.path(), best_, last_, top_.state()}; }

  // Takes over what an earlier run knew, once both that and the folder are known.
  void adopt() {
    if (!loaded_) return;
    best_ = loaded_->best_path;
    if (loaded_->dirpath == folder_.path()) {
      top_.restore(loaded_->top);
      last_ = loaded_->last_path;
      if (loaded_->monitor == s_.monitor && !scored(best_)) unscored_ = best_;
    } else {
      warn("the folder was " + loaded_->dirpath + " and is " + folder_.path() +
           ": of the earlier files only the best is known");
    }
    loaded_.reset();
  }

  Settings s_;
  FileName name_;
  Trigger trigger_;
  TopK top_;
  Folder folder_;
  std::optional<State> loaded_;
  std::string best_, last_, newest_;
  std::string unscored_;          // the newest that was saved without its metric
  std::string unlinked_;          // what last has to link to, once it is on the disk
  int64_t saved_step_ = 0;        // before the first step there is nothing to save
  bool started_ = false;          // what a resumed fit takes from its checkpoint is all there
  std::optional<int64_t> epoch_;  // of the last batch
  bool fitting_ = false, validated_ = false, deferred_ = false, warned_ = false;
};

}  // namespace
}  // namespace levin::model_checkpoint

LEVIN_PLUGIN("levin.model_checkpoint", "0.1.0", "Apache-2.0",
             levin::callback<levin::model_checkpoint::ModelCheckpoint>("model_checkpoint",
                                                                       "Saves the best and the last checkpoints"));
