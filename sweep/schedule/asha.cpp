#include "sweep/schedule/asha.hpp"

#include <algorithm>

namespace levin::core::sweep {

Asha::Asha(ScheduleOptions options, std::vector<Parameter> parameters, std::unique_ptr<Sampler> sampler)
    : options_(options), parameters_(std::move(parameters)), sampler_(std::move(sampler)) {
  for (int64_t epochs = options.min_epochs; epochs < options.max_epochs; epochs *= options.factor)
    rungs_.push_back(epochs);
  rungs_.push_back(options.max_epochs);
}

const Trial* Asha::promotable(const Study& study, int64_t rung, bool any) const {
  std::vector<const Trial*> reached;
  for (const Trial& trial : study.trials)
    if (trial.has_reached(rung) && trial.state != TrialState::failed && trial.is_of_sweep()) reached.push_back(&trial);
  std::stable_sort(reached.begin(), reached.end(), [&](const Trial* a, const Trial* b) {
    return study.loss(a->at_epoch.at(rung)) < study.loss(b->at_epoch.at(rung));
  });
  if (!any) reached.resize(reached.size() / static_cast<size_t>(options_.factor));
  for (const Trial* trial : reached)
    if (trial->is_paused() && trial->epochs() == rung) return trial;
  return nullptr;
}

Step Asha::promotion(const Study& study, bool any) const {
  Step out;
  for (size_t i = rungs_.size() - 1; i-- > 0;)
    if (const Trial* trial = promotable(study, rungs_[i], any)) {
      out.what = Step::What::proceed;
      out.trial = trial->number;
      out.epochs = rungs_[i + 1];
      return out;
    }
  return out;
}

Step Asha::next(const Study& study) {
  Step out = promotion(study, false);
  if (out.what == Step::What::proceed) return out;
  const int64_t started = started_trials(study);
  if (started < options_.trials)
    if (const auto values = sampler_->next(static_cast<uint64_t>(started), observations(study, parameters_))) {
      out.what = Step::What::start;
      out.values = *values;
      out.attributes["epochs"] = rungs_.front();
      return out;
    }
  const auto some = [&study](auto holds) { return std::any_of(study.trials.begin(), study.trials.end(), holds); };
  if (some([](const Trial& trial) { return trial.is_busy(); })) return out;
  // With few trials no rung has enough of them for its last promotion: then the best of all goes on to the end.
  if (!some([](const Trial& trial) { return trial.state == TrialState::complete; })) out = promotion(study, true);
  if (out.what == Step::What::wait) out.what = Step::What::finish;
  return out;
}

}  // namespace levin::core::sweep
