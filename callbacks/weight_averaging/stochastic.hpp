// Stochastic weight averaging: the mean of the weights at the start of each of the last epochs, which have their own
// learning rate. Source: Izmailov et al., Averaging Weights Leads to Wider Optima, 2018.
#pragma once
#include <optional>
#include <vector>

#include "average.hpp"
#include "batch_statistics.hpp"
#include "levin/callback.hpp"
#include "swa_rule.hpp"

namespace levin::weight_averaging {

class StochasticWeightAveraging : public Callback {
 public:
  static constexpr const char* strategies[] = {"cos", "linear", nullptr};
  static constexpr levin_option options[] = {
      with(json("swa_lrs", "null",
                "learning rate of the last epochs: a number for all parameter groups, or a list; null = unchanged"),
           LEVIN_OPT_NULLABLE),
      json("swa_epoch_start", "0.8", "first epoch, counted from 1 (an int), or part of max_epochs (0.0 to 1.0)"),
      integer("annealing_epochs", "10", "number of epochs of annealing to swa_lrs", 0, 1e9),
      choice("annealing_strategy", "\"cos\"", "annealing to swa_lrs", strategies),
      number("batch_norm_momentum", "0.1",
             "momentum of the model's batch norm layers while their statistics are recomputed", 1e-9, 1)};
  static constexpr levin_flag claims[] = {{"stochastic_weight_avg", nullptr, "average the weights of the last epochs"}};

  explicit StochasticWeightAveraging(const Args& args);
  void on_fit_start(const Event& event);
  void on_train_start(const Event& event);
  void on_train_epoch_start(const Event& event);
  void on_train_batch_start(const Event& event);
  void on_train_batch_end(const Event& event);
  void on_train_end(const Event& event);
  void on_save_checkpoint(const Event& event);
  void on_load_checkpoint(const Event& event);
  void save(Writer writer) const;
  void load(Reader reader);

 private:
  void begin(const Run& run, int64_t epoch);
  void pause_schedules(const Run& run) const;
  void set_learning_rates(const Run& run, int64_t epoch) const;
  void update(const Run& run, int64_t epoch);
  void take_average(const Run& run);  // moves the average into the model, if there is one
  void begin_statistics(const Run& run);
  bool averages_in(int64_t epoch) const { return epochs_.first <= epoch && epoch <= epochs_.last; }

  std::vector<double> swa_lrs_;
  double start_;
  bool start_is_fraction_;
  int64_t annealing_epochs_;
  bool cosine_;
  double batch_norm_momentum_;
  SwaEpochs epochs_{0, -1};
  Average average_;
  std::vector<double> lrs_;  // learning rates of the groups when averaging began; empty = not begun
  int64_t n_averaged_ = 0, latest_epoch_ = -1;
  bool has_batch_norm_ = false;
  std::optional<BatchStatistics> statistics_;  // used in one additional epoch at the end, if the model needs it
  std::vector<double> resumed_sums_;           // from a checkpoint saved during that epoch
  int64_t resumed_batches_ = 0;
};

}  // namespace levin::weight_averaging
