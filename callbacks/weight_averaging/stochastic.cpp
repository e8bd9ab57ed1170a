#include "stochastic.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace levin::weight_averaging {
namespace {

using Json = nlohmann::json;

// Reads a real number of JSON (1.0, but not 1), or a list of them; returns an empty list for other values, as in
// Lightning.
std::vector<double> real_numbers(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_number_float()) return {json.get<double>()};
  if (!json.is_array()) return {};
  std::vector<double> out;
  for (const Json& value : json) {
    if (!value.is_number_float()) return {};
    out.push_back(value.get<double>());
  }
  return out;
}

}  // namespace

StochasticWeightAveraging::StochasticWeightAveraging(const Args& args)
    : annealing_epochs_(args.integer("annealing_epochs")),
      cosine_(args.text("annealing_strategy") == "cos"),
      batch_norm_momentum_(args.number("batch_norm_momentum")) {
  if (!args.is_null("swa_lrs")) {
    const std::string text = args.text("swa_lrs");
    swa_lrs_ = real_numbers(text);
    const bool positive = std::all_of(swa_lrs_.begin(), swa_lrs_.end(), [](double lr) { return lr > 0; });
    if (swa_lrs_.empty() || !positive)
      throw Error(
          LEVIN_E_INVALID,
          "swa_lrs is " + text + "; give a positive real number, or a list of them: [0.05, 0.01]. Write 1 as 1.0");
  }
  const std::string text = args.text("swa_epoch_start");
  const Json start = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  start_ = start.is_number() ? start.get<double>() : -1;
  start_is_fraction_ = start.is_number_float();
  if (start_is_fraction_ ? !(start_ >= 0 && start_ <= 1) : start_ < 1)
    throw Error(LEVIN_E_INVALID, "swa_epoch_start is " + text + "; give an int >= 1 or a fraction in [0.0, 1.0]");
}

void StochasticWeightAveraging::on_fit_start(const Event& event) {
  const Run run = event.run();
  const uint32_t optimizers = run.n_optimizers(), schedulers = run.n_schedulers();
  if (optimizers != 1 || schedulers > 1)
    throw Error(LEVIN_E_UNSUPPORTED, "works with one optimizer and at most one schedule; the model has " +
                                         std::to_string(optimizers) + " and " + std::to_string(schedulers));
  const int64_t max_epochs = run.max_epochs();
  if (max_epochs < 0) throw Error(LEVIN_E_INVALID, "needs trainer.max_epochs, to know which epochs are the last");
  epochs_ = swa_epochs(start_, start_is_fraction_, max_epochs);
  has_batch_norm_ = BatchStatistics::needed(run);
  if (!has_batch_norm_) return;
  // Throws for unsupported buffers now instead of after the last epoch.
  const BatchStatistics trial(run, batch_norm_momentum_);
  run.set("max_epochs", static_cast<double>(max_epochs + 1));
}

// A fit that is resumed within an epoch gets no on_train_epoch_start, because the epoch has already started.
void StochasticWeightAveraging::on_train_start(const Event& event) {
  const Run run = event.run();
  const int64_t epoch = event.epoch();
  if (averages_in(epoch) && epoch == latest_epoch_) set_learning_rates(run, epoch);
  if (!has_batch_norm_ || epoch != epochs_.last + 1 || average_.exists() || n_averaged_ == 0) return;
  begin_statistics(run);
  statistics_->load(resumed_sums_, resumed_batches_);
}

void StochasticWeightAveraging::begin(const Run& run, int64_t epoch) {
  const uint32_t groups = run.n_groups(0);
  lrs_.resize(groups);
  for (uint32_t g = 0; g < groups; ++g) lrs_[g] = run.lr(0, g);
  if (swa_lrs_.empty()) swa_lrs_ = lrs_;
  if (swa_lrs_.size() == 1) swa_lrs_.assign(groups, swa_lrs_[0]);
  if (swa_lrs_.size() != groups)
    throw Error(LEVIN_E_INVALID, "swa_lrs has " + std::to_string(swa_lrs_.size()) + " numbers, and the optimizer has " +
                                     std::to_string(groups) + " parameter groups");
  if (epoch != epochs_.first) warn("averaging begins in epoch " + std::to_string(epoch) + ", after its first epoch");
}

void StochasticWeightAveraging::pause_schedules(const Run& run) const {
  for (uint32_t i = 0, n = run.n_schedulers(); i < n; ++i)
    detail::check(run.optim().pause_scheduler(run.raw(), i, 1), "pause_scheduler");
}

void StochasticWeightAveraging::set_learning_rates(const Run& run, int64_t epoch) const {
  pause_schedules(run);
  for (uint32_t g = 0; g < lrs_.size() && g < swa_lrs_.size(); ++g)
    run.set_lr(0, g, annealed_lr(lrs_[g], swa_lrs_[g], epoch - epochs_.first, annealing_epochs_, cosine_));
}

void StochasticWeightAveraging::update(const Run& run, int64_t epoch) {
  if (average_.exists())
    average_.move(run, 1.0 / static_cast<double>(n_averaged_ + 1), LEVIN_BUFFERS_COPY);
  else
    average_.begin(run);
  ++n_averaged_;
  latest_epoch_ = epoch;
}

void StochasticWeightAveraging::on_train_epoch_start(const Event& event) {
  const Run run = event.run();
  const int64_t epoch = event.epoch();
  if (averages_in(epoch)) {
    if (lrs_.empty()) begin(run, epoch);
    set_learning_rates(run, epoch);
    if (epoch > latest_epoch_) update(run, epoch);
  }
  if (!has_batch_norm_ || epoch != epochs_.last + 1 || !average_.exists()) return;
  take_average(run);
  begin_statistics(run);
}

// Starts an epoch that only computes statistics: the learning rate is 0, so that no weight changes.
void StochasticWeightAveraging::begin_statistics(const Run& run) {
  pause_schedules(run);
  for (uint32_t g = 0, n = run.n_groups(0); g < n; ++g) run.set_lr(0, g, 0);
  statistics_.emplace(run, batch_norm_momentum_);
}

void StochasticWeightAveraging::on_train_batch_start(const Event& event) {
  if (statistics_) statistics_->before_batch(event.run());
}

void StochasticWeightAveraging::on_train_batch_end(const Event& event) {
  if (statistics_) statistics_->after_batch(event.run());
}

void StochasticWeightAveraging::on_train_end(const Event& event) {
  const Run run = event.run();
  statistics_.reset();
  if (has_batch_norm_) run.set("max_epochs", static_cast<double>(epochs_.last + 1));
  if (!has_batch_norm_ && event.epoch() - 1 == epochs_.last) take_average(run);
}

void StochasticWeightAveraging::on_save_checkpoint(const Event& event) {
  if (!average_.exists()) return;
  average_.keep(event.run(), event.writer());
  event.writer().put(count_in_checkpoint, n_averaged_);
}

void StochasticWeightAveraging::on_load_checkpoint(const Event& event) {
  if (event.stage() != Stage::fit) return;
  average_.restore(event.run(), event.reader());
  if (statistics_) return take_average(event.run());  // the statistics belong to the average
  if (!average_.exists()) n_averaged_ = 0;
  event.reader().get(count_in_checkpoint, n_averaged_);
}

void StochasticWeightAveraging::take_average(const Run& run) {
  if (!average_.exists()) return;
  average_.swap(run);
  average_.forget(run);
}

void StochasticWeightAveraging::save(Writer writer) const {
  writer.put("n_averaged", n_averaged_);
  writer.put("latest_update_epoch", latest_epoch_);
  writer.put("swa_start", epochs_.first);
  writer.put("swa_end", epochs_.last);
  writer.put("lrs", lrs_);
  writer.put("swa_lrs", swa_lrs_);
  if (statistics_) statistics_->save(writer);
}

void StochasticWeightAveraging::load(Reader reader) {
  reader.get("n_averaged", n_averaged_);
  reader.get("latest_update_epoch", latest_epoch_);
  reader.get("lrs", lrs_);
  reader.get("swa_lrs", swa_lrs_);
  reader.get("statistics_sums", resumed_sums_);
  reader.get("statistics_batches", resumed_batches_);
}

}  // namespace levin::weight_averaging
