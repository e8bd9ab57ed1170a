#include "stochastic.hpp"

#include <cstdlib>

namespace levin::weight_averaging {
namespace {

// A JSON number, or a list of them.
std::vector<double> numbers(const std::string& json) {
  std::vector<double> out;
  const char* at = json.c_str();
  while (*at) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at) {
      ++at;
      continue;
    }
    out.push_back(value);
    at = end;
  }
  return out;
}

void set_lr(const Run& run, uint32_t group, double value) {
  detail::check(run.optim().set(run.raw(), 0, group, "lr", value), "lr");
}

uint32_t groups_of(const Run& run) {
  uint32_t groups = 0;
  const char* name = nullptr;
  detail::check(run.optim().describe(run.raw(), 0, &name, &groups), "optimizer");
  return groups;
}

}  // namespace

StochasticWeightAveraging::StochasticWeightAveraging(const Args& args)
    : annealing_epochs_(args.integer("annealing_epochs")),
      cosine_(args.text("annealing_strategy") == "cos"),
      batch_norm_momentum_(args.number("batch_norm_momentum")) {
  if (!args.is_null("swa_lrs")) swa_lrs_ = numbers(args.text("swa_lrs"));
  for (const double lr : swa_lrs_)
    if (!(lr > 0)) throw Error(LEVIN_E_INVALID, "swa_lrs has to be a positive number, or a list of them");
  if (!args.is_null("swa_lrs") && swa_lrs_.empty())
    throw Error(LEVIN_E_INVALID, "swa_lrs has to be a positive number, or a list of them");
  const std::string start = args.text("swa_epoch_start");
  const std::vector<double> value = numbers(start);
  start_is_fraction_ = start.find_first_of(".eE") != std::string::npos;
  const bool valid = value.size() == 1 && (start_is_fraction_ ? value[0] >= 0 && value[0] <= 1 : value[0] >= 1);
  if (!valid)
    throw Error(LEVIN_E_INVALID, "swa_epoch_start is " + start + "; give an int >= 1 or a fraction in [0.0, 1.0]");
  start_ = value[0];
}

void StochasticWeightAveraging::on_fit_start(const Event& event) {
  const Run run = event.run();
  uint32_t optimizers = 0, schedulers = 0;
  detail::check(run.optim().count(run.raw(), &optimizers, &schedulers), "count");
  if (optimizers != 1 || schedulers > 1)
    throw Error(LEVIN_E_UNSUPPORTED, "works with one optimizer and at most one schedule; the model has " +
                                         std::to_string(optimizers) + " and " + std::to_string(schedulers));
  const int64_t max_epochs = run.integer("max_epochs");
  if (max_epochs < 0) throw Error(LEVIN_E_INVALID, "needs trainer.max_epochs, to know which epochs are the last");
  epochs_ = swa_epochs(start_, start_is_fraction_, max_epochs);
  has_batch_norm_ = BatchStatistics::needed(run);
  if (has_batch_norm_) run.set("max_epochs", static_cast<double>(max_epochs + 1));
}

void StochasticWeightAveraging::begin(const Run& run, int64_t epoch) {
  const uint32_t groups = groups_of(run);
  lrs_.resize(groups);
  for (uint32_t g = 0; g < groups; ++g) detail::check(run.optim().get(run.raw(), 0, g, "lr", &lrs_[g]), "lr");
  if (swa_lrs_.empty()) swa_lrs_ = lrs_;
  if (swa_lrs_.size() == 1) swa_lrs_.assign(groups, swa_lrs_[0]);
  if (swa_lrs_.size() != groups)
    throw Error(LEVIN_E_INVALID, "swa_lrs has " + std::to_string(swa_lrs_.size()) + " numbers, and the optimizer has " +
                                     std::to_string(groups) + " parameter groups");
  if (epoch != epochs_.first) warn("averaging begins in epoch " + std::to_string(epoch) + ", after its first epoch");
}

void StochasticWeightAveraging::set_learning_rates(const Run& run, int64_t epoch) const {
  uint32_t optimizers = 0, schedulers = 0;
  detail::check(run.optim().count(run.raw(), &optimizers, &schedulers), "count");
  if (schedulers > 0) detail::check(run.optim().pause_scheduler(run.raw(), 0, 1), "pause_scheduler");
  for (uint32_t g = 0; g < lrs_.size() && g < swa_lrs_.size(); ++g)
    set_lr(run, g, annealed_lr(lrs_[g], swa_lrs_[g], epoch - epochs_.first, annealing_epochs_, cosine_));
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
  // An epoch that only looks: nothing moves at a learning rate of 0.
  average_.swap(run);
  average_.forget(run);
  for (uint32_t g = 0; g < groups_of(run); ++g) set_lr(run, g, 0);
  statistics_.emplace(batch_norm_momentum_);
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
  if (has_batch_norm_ || event.epoch() - 1 != epochs_.last || !average_.exists()) return;
  average_.swap(run);
  average_.forget(run);
}

void StochasticWeightAveraging::on_save_checkpoint(const Event& event) {
  if (average_.exists()) average_.keep(event.run(), event.writer());
}

void StochasticWeightAveraging::on_load_checkpoint(const Event& event) {
  if (event.stage() == Stage::fit) average_.restore(event.run(), event.reader());
}

void StochasticWeightAveraging::save(Writer writer) const {
  writer.put("n_averaged", n_averaged_);
  writer.put("latest_update_epoch", latest_epoch_);
  writer.put("swa_start", epochs_.first);
  writer.put("swa_end", epochs_.last);
  writer.put("lrs", lrs_);
  writer.put("swa_lrs", swa_lrs_);
}

void StochasticWeightAveraging::load(Reader reader) {
  reader.get("n_averaged", n_averaged_);
  reader.get("latest_update_epoch", latest_epoch_);
  reader.get("lrs", lrs_);
  reader.get("swa_lrs", swa_lrs_);
}

}  // namespace levin::weight_averaging
