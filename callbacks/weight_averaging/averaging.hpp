// Averages of the weights during training: the mean or an exponential moving average. Validation uses the average,
// checkpoints contain it, and the model keeps it when training ends. Sources: Izmailov et al. 2018; Polyak and Juditsky
// 1992.
#pragma once
#include "average.hpp"
#include "levin/callback.hpp"
#include "update_rule.hpp"

namespace levin::weight_averaging {

// The base class of both averages. They define the weight of an update and the rule for when to update.
class Averaging : public Callback {
 public:
  virtual ~Averaging() = default;

  void on_fit_start(const Event& event) {
    if (!average_.exists()) average_.begin(event.run());
  }
  void on_train_batch_end(const Event& event) {
    if (event.global_step() <= latest_step_ || !rule_.after_step(event.global_step() - 1)) return;
    update(event.run());
    latest_step_ = event.global_step();
  }
  void on_train_epoch_end(const Event& event) {
    if (event.epoch() <= latest_epoch_ || !rule_.after_epoch(event.epoch())) return;
    update(event.run());
    latest_epoch_ = event.epoch();
  }
  void on_validation_epoch_start(const Event& event) {
    if (average_.exists()) average_.swap(event.run());
  }
  void on_validation_epoch_end(const Event& event) {
    if (average_.exists()) average_.swap(event.run());
  }
  void on_train_end(const Event& event) {
    if (!average_.exists()) return;
    average_.swap(event.run());
    average_.forget(event.run());
  }
  void on_exception(const Event& event) {
    if (average_.exists() && average_.in_the_model()) average_.swap(event.run());
  }

  void on_save_checkpoint(const Event& event) {
    if (!average_.exists()) return;
    average_.save(event.run(), event.writer());
    event.writer().put(count_in_checkpoint, n_averaged_);
  }
  // Also called when a fit rolls back to a checkpoint: the average is restored, while the steps continue.
  void on_load_checkpoint(const Event& event) {
    if (event.stage() != Stage::fit) return;
    average_.load(event.run(), event.reader());
    event.reader().get(count_in_checkpoint, n_averaged_);
  }
  void save(Writer writer) const {
    writer.put("n_averaged", n_averaged_);
    writer.put("latest_update_step", latest_step_);
    writer.put("latest_update_epoch", latest_epoch_);
  }
  void load(Reader reader) {
    reader.get("n_averaged", n_averaged_);
    reader.get("latest_update_step", latest_step_);
    reader.get("latest_update_epoch", latest_epoch_);
  }

 protected:
  Averaging(const Args& args, const UpdateRule& rule)
      : rule_(rule), buffers_(args.flag("use_buffers") ? LEVIN_BUFFERS_AVERAGE : LEVIN_BUFFERS_COPY) {}

 private:
  // Returns the weight of the n-th update, counted from 0. Not used for the first update, which copies the weights.
  virtual double weight(int64_t n) const = 0;
  void update(const Run& run) {
    average_.move(run, n_averaged_ == 0 ? 1 : weight(n_averaged_), buffers_);
    ++n_averaged_;
  }

  UpdateRule rule_;
  uint32_t buffers_;
  Average average_;
  int64_t n_averaged_ = 0, latest_step_ = 0, latest_epoch_ = -1;
};

inline constexpr levin_option use_buffers =
    flag("use_buffers", "true", "also average buffers (batch norm statistics); false = copy the model's");

class WeightAveraging : public Averaging {
 public:
  static constexpr levin_option options[] = {use_buffers};
  explicit WeightAveraging(const Args& args) : Averaging(args, {}) {}

 private:
  double weight(int64_t n) const override { return 1.0 / static_cast<double>(n + 1); }
};

class EmaWeightAveraging : public Averaging {
 public:
  static constexpr levin_option options[] = {
      use_buffers, number("decay", "0.999", "decay of the exponential moving average", 0, 1),
      integer("update_every_n_steps", "1", "update the average every N optimizer steps", 1, 1e15),
      with(
          integer("update_starting_at_step", "null", "first optimizer step (from 0) that updates the average", 0, 1e15),
          LEVIN_OPT_NULLABLE),
      with(integer("update_starting_at_epoch", "null", "first epoch (from 0) whose end updates the average", 0, 1e15),
           LEVIN_OPT_NULLABLE)};
  explicit EmaWeightAveraging(const Args& args) : Averaging(args, rule(args)), decay_(args.number("decay")) {}

 private:
  static UpdateRule rule(const Args& args) {
    UpdateRule rule;
    rule.every_n_steps = args.integer("update_every_n_steps");
    if (!args.is_null("update_starting_at_step")) rule.starting_at_step = args.integer("update_starting_at_step");
    if (!args.is_null("update_starting_at_epoch")) rule.starting_at_epoch = args.integer("update_starting_at_epoch");
    return rule;
  }
  double weight(int64_t) const override { return 1 - decay_; }
  double decay_;
};

}  // namespace levin::weight_averaging
