#include "sweep/schedule/population.hpp"

#include <algorithm>

#include "sweep/search/random_numbers.hpp"

namespace levin::core::sweep {
namespace {

constexpr double drawn_anew = 0.25;

// The number for the random values of a member after a generation. The first values of members have small numbers.
uint64_t number_for(int64_t member, int64_t generation) {
  return static_cast<uint64_t>(generation) << 32 | static_cast<uint64_t>(member);
}

}  // namespace

Population::Population(ScheduleOptions options, std::vector<Parameter> parameters, std::unique_ptr<Sampler> sampler)
    : options_(options),
      parameters_(std::move(parameters)),
      sampler_(std::move(sampler)),
      generations_((options.max_epochs + options.interval - 1) / options.interval) {}

std::vector<const Trial*> Population::members(const Study& study) const {
  std::vector<const Trial*> out(static_cast<size_t>(options_.trials), nullptr);
  for (const Trial& trial : study.trials)
    if (const int64_t member = trial.member(); member >= 0 && member < options_.trials)
      out[static_cast<size_t>(member)] = &trial;
  return out;
}

std::vector<const Trial*> Population::ranked(const Study& study, int64_t generation) const {
  std::vector<std::pair<double, const Trial*>> found;
  for (const Trial& trial : study.trials) {
    const auto value = trial.at_epoch.find((generation - trial.generation()) * options_.interval);
    if (trial.member() < 0 || generation <= trial.generation() || value == trial.at_epoch.end()) continue;
    if (trial.state != TrialState::failed) found.emplace_back(study.loss(value->second), &trial);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Trial*> out;
  for (const auto& one : found) out.push_back(one.second);
  return out;
}

Step Population::next(const Study& study) {
  const std::vector<const Trial*> all = members(study);
  Step out;
  for (size_t m = 0; m < all.size(); ++m) {
    if (all[m]) continue;
    const auto values = sampler_->next(m, observations(study, parameters_));
    if (!values) break;
    out.what = Step::What::start;
    out.values = *values;
    out.attributes = {{"member", m}, {"epochs", options_.interval}};
    return out;
  }
  int64_t slowest = generations_;
  for (const Trial* trial : all) {
    if (!trial) continue;
    const bool is_at_end = trial->is_paused() || trial->state == TrialState::complete;
    slowest = std::min(slowest, generation_of(*trial) - (is_at_end || trial->is_over() ? 0 : 1));
  }
  if (slowest >= 1 && slowest < generations_) out = after_generation(study, slowest, all);
  if (out.what != Step::What::wait) return out;
  const bool busy = std::any_of(all.begin(), all.end(), [](const Trial* t) { return t && t->is_busy(); });
  out.what = busy ? Step::What::wait : Step::What::finish;
  return out;
}

// All members have ended the generation. The replaced ones begin first, while the others still have the checkpoints of
// this generation.
Step Population::after_generation(const Study& study, int64_t generation,
                                  const std::vector<const Trial*>& members) const {
  const std::vector<const Trial*> order = ranked(study, generation);
  Step out;
  if (order.empty()) {
    out.what = Step::What::finish;
    return out;
  }
  const size_t fifth = std::max<size_t>(1, members.size() / 5), worst = members.size() - fifth;
  const auto place_of = [&order](int64_t member) {
    const auto is_it = [member](const Trial* trial) { return trial->member() == member; };
    return static_cast<size_t>(std::find_if(order.begin(), order.end(), is_it) - order.begin());
  };
  for (const Trial* trial : members) {
    if (!trial || generation_of(*trial) != generation) continue;
    const size_t place = place_of(trial->member());
    if (place < order.size() && (place < worst || place == 0)) continue;
    RandomNumbers random(options_.seed ^ 0x706274, number_for(trial->member(), generation));
    return replacement(*order[random.below(std::min(fifth, order.size()))], trial->member(), generation);
  }
  for (const Trial* trial : members)
    if (trial && trial->is_paused() && generation_of(*trial) == generation) {
      out.what = Step::What::proceed;
      out.trial = trial->number;
      out.epochs = trial->epochs() + options_.interval;
      return out;
    }
  return out;
}

Step Population::replacement(const Trial& parent, int64_t member, int64_t generation) const {
  Step out;
  out.what = Step::What::start;
  out.attributes = {
      {"member", member}, {"generation", generation}, {"parent", parent.number}, {"epochs", options_.interval}};
  const Assignment values = values_of(parent, parameters_);
  const uint64_t number = number_for(member, generation);
  const Assignment anew = random_values(parameters_, options_.seed, number);
  RandomNumbers random(options_.seed ^ 0x6578706c, number);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const bool draws = random.unit() < drawn_anew;
    out.values.push_back(draws ? anew[i] : explored(parameters_[i], values[i], random.next()));
  }
  return out;
}

double Population::explored(const Parameter& parameter, double value, uint64_t number) const {
  const bool up = number % 2 == 1;
  if (parameter.kind == ParameterKind::choice) return parameter.nearest_value(value + (up ? 1 : -1));
  const double moved = parameter.nearest_value(value * (up ? 1.2 : 0.8));
  if (moved != value || parameter.kind == ParameterKind::real) return moved;
  const double step = parameter.step > 0 ? parameter.step : 1;
  return parameter.nearest_value(value + (up ? step : -step));  // a small whole number
}

}  // namespace levin::core::sweep
