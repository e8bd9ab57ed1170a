#include "core/optim/lr_schedulers/lr_scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace levin::core {

double LrTarget::initial_lr(size_t group) const {
  return group < initial_lr_.size() ? initial_lr_[group] : std::numeric_limits<double>::quiet_NaN();
}

void LrTarget::set_initial_lr(size_t group, double value) {
  if (group >= initial_lr_.size()) initial_lr_.resize(group + 1, std::numeric_limits<double>::quiet_NaN());
  initial_lr_[group] = value;
}

void LrScheduler::set_names(std::string id, std::string name) {
  id_ = std::move(id);
  name_ = std::move(name);
}

void LrScheduler::start() {
  base_lrs_.clear();
  for (size_t i = 0; i < target_.group_count(); ++i) {
    if (std::isnan(target_.initial_lr(i))) target_.set_initial_lr(i, lr(i));
    base_lrs_.push_back(target_.initial_lr(i));
  }
  last_epoch_ = -1;
  step();
}

void LrScheduler::step() {
  ++last_epoch_;
  const size_t groups = target_.group_count();
  const size_t n = needs_base_lr() ? std::min(groups, base_lrs_.size()) : groups;
  for (size_t i = 0; i < n; ++i) target_.set_lr(i, next_lr(i));
  remember_lr();
}

void LrScheduler::step(double) { step(); }

void LrScheduler::restart() {
  last_epoch_ = 0;
  const size_t n = std::min(target_.group_count(), base_lrs_.size());
  for (size_t i = 0; i < n; ++i) target_.set_lr(i, closed_form_lr(i));
  remember_lr();
}

void LrScheduler::remember_lr() {
  last_lr_.resize(target_.group_count());
  for (size_t i = 0; i < last_lr_.size(); ++i) last_lr_[i] = lr(i);
}

void LrScheduler::scale_rates(double factor) {
  for (std::vector<double>* rates : {&base_lrs_, &last_lr_})
    for (double& rate : *rates) rate *= factor;
}

nlohmann::json LrScheduler::state_dict() const {
  return {{"scheduler", id_}, {"last_epoch", last_epoch_}, {"base_lrs", base_lrs_}, {"last_lr", last_lr_}};
}

void LrScheduler::load_state_dict(const nlohmann::json& state) {
  try {
    const std::string saved = state.at("scheduler");
    if (saved != id_)
      throw Error(ErrorCode::checkpoint_state_refused, "schedule '" + id_ + "': the saved state is of '" + saved + "'");
    auto base_lrs = state.at("base_lrs").get<std::vector<double>>();
    if (base_lrs.size() != base_lrs_.size())
      throw Error(ErrorCode::checkpoint_state_refused,
                  "schedule '" + id_ + "': the saved state is for " + std::to_string(base_lrs.size()) +
                      " parameter groups, here are " + std::to_string(base_lrs_.size()));
    last_epoch_ = state.at("last_epoch");
    base_lrs_ = std::move(base_lrs);
    last_lr_ = state.at("last_lr").get<std::vector<double>>();
    load_more(state);
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorCode::checkpoint_state_refused,
                "schedule '" + id_ + "': the saved state does not fit: " + brief_json_error(e.what()));
  }
}

}  // namespace levin::core
