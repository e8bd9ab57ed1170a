#include "core/logging/logger_connector.hpp"

#include <cmath>

#include "core/abi/tensor_handle.hpp"
#include "core/base/json.hpp"

namespace levin::core {

void LoggerConnector::log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks,
                          const std::optional<double>& step) {
  if (recorder_) return recorder_(origin, arguments, ranks);
  if (settings_.barebones) return;
  if (arguments.rank_zero_only && reducer_ && !reducer_->is_first()) return;
  if (!settings_.move_metrics_to_cpu || !arguments.tensor) {
    MetricEntry& entry = active().log(origin, arguments, ranks);
    if (step) entry.reduced.step = step;
    return;
  }
  const at::Tensor moved = retain(arguments.tensor).cpu();
  levin_log on_cpu = arguments;
  on_cpu.tensor = borrow(moved);
  active().log(origin, on_cpu, ranks);
}

OrderedMetrics LoggerConnector::collect(MetricSet set) {
  OrderedMetrics out;
  active().visit(set, [&](const std::string& name, double value) { out.set(name, value); });
  return out;
}

// Keeps the values logged since the last call. Unchanged values are not kept again: older training values would
// overwrite those of an evaluation. Keeps nothing during a sanity check.
void LoggerConnector::refresh() {
  if (sanity_ || !active().take_changed()) return;
  active().visit(MetricSet::callback, [&](const std::string& name, double value) { callback_.set(name, value); });
  active().visit(MetricSet::logged, [&](const std::string& name, double value) { logged_.set(name, value); });
  active().visit(MetricSet::progress, [&](const std::string& name, double value) { progress_.set(name, value); });
}

const OrderedMetrics& LoggerConnector::metrics(MetricSet set) {
  refresh();
  switch (set) {
    case MetricSet::logged:
      return logged_;
    case MetricSet::progress:
      return progress_;
    case MetricSet::results:
      return results_;
    default:
      return callback_;
  }
}

bool LoggerConnector::metric(MetricSet set, const std::string& name, double& out) {
  if (set == MetricSet::callback) warn_of_unreduced(name);
  const double* found = const_cast<OrderedMetrics&>(metrics(set)).find(name);
  if (found) out = *found;
  return found != nullptr;
}

std::optional<double> LoggerConnector::monitored(const std::string& name) {
  double value = 0;
  const auto mine = metric(MetricSet::callback, name, value) ? std::optional<double>(value) : std::nullopt;
  return reducer_ ? reducer_->of_first(mine) : mine;
}

// Warns once for each name, in rank 0, whose value is used.
void LoggerConnector::warn_of_unreduced(const std::string& name) {
  if (!reducer_ || !reducer_->is_first() || !warn_) return;
  if (!train_.is_unreduced(name) && !eval_.is_unreduced(name)) return;
  if (!warned_of_.insert(name).second) return;
  warn_("'" + name + "' is monitored and not reduced over the " + std::to_string(reducer_->size()) +
        " ranks: the value of rank 0 is used; log it with sync_dist to reduce it");
}

nlohmann::json LoggerConnector::callback_pairs() const {
  nlohmann::json pairs = nlohmann::json::array();
  for (const auto& [name, value] : callback_.items()) pairs.push_back({name, value});
  return pairs;
}

void LoggerConnector::agree() {
  if (!reducer_ || settings_.barebones) return;
  refresh();
  nlohmann::json beside = {{"rows", rows_.shares()}};
  if (reducer_->is_first()) beside["callback"] = callback_pairs();
  const std::vector<nlohmann::json> all = reducer_->reduce_epoch(active(), beside);
  std::vector<nlohmann::json> rows;
  for (const nlohmann::json& theirs : all) rows.push_back(theirs.at("rows"));
  rows_.send(rows, [this](int64_t step, const OrderedMetrics& row) { send(row, nullptr, step); });
  if (reducer_->is_first()) return;
  callback_ = {};
  for (const auto& pair : all[0].at("callback")) callback_.set(pair.at(0).get<std::string>(), pair.at(1).get<double>());
}

nlohmann::json LoggerConnector::state_dict() {
  nlohmann::json state = nlohmann::json::array();
  for (const auto& [name, value] : metrics(MetricSet::callback).items()) state.push_back({name, number_to_json(value)});
  return state;
}

void LoggerConnector::load_state_dict(const nlohmann::json& state) {
  for (const auto& pair : state) callback_.set(pair.at(0).get<std::string>(), number_from_json(pair.at(1)));
}

// With an axis, adds the metric "epoch" and uses the axis's number of batches as the step, unless a metric named "step"
// gives it.
void LoggerConnector::send(const OrderedMetrics& values, const LogAxis* axis, int64_t step) {
  if (values.empty()) return;
  for (const auto& [name, value] : values.items()) logged_.set(name, value);
  if (loggers_.empty()) return;
  OrderedMetrics payload = values;
  double own_step;
  if (axis) {
    step = axis->batches_that_stepped;
    if (payload.take("step", own_step))
      step = static_cast<int64_t>(own_step);
    else if (!payload.find("epoch"))
      payload.set("epoch", static_cast<double>(axis->epoch));
  }
  loggers_.metrics(step, payload);
}

void LoggerConnector::log_train_step(const LogAxis& axis) { send(collect(MetricSet::logged), &axis, 0); }

void LoggerConnector::log_train_epoch(const LogAxis& axis) {
  agree();
  refresh();
  const LogAxis at = {axis.epoch, axis.batches_that_stepped - 1};
  send(collect(MetricSet::logged), &at, 0);
  train_.reset();
}

void LoggerConnector::log_eval_step(int64_t step, int64_t batch) {
  if (sanity_) return;
  bool waits = !rows_.empty();
  if (reducer_)
    eval_.take_synced_steps([&](const MetricEntry& e, double value) {
      rows_.note(e, batch, value);
      waits = true;
    });
  if (!waits) return send(collect(MetricSet::logged), nullptr, step);
  rows_.keep(step, batch, collect(MetricSet::logged));
}

void LoggerConnector::log_eval_epoch(const LogAxis& axis) {
  agree();
  if (sanity_) return;
  refresh();
  results_ = collect(MetricSet::logged);
  send(results_, &axis, 0);
}

void LoggerConnector::drop_sanity_metrics() {
  eval_.reset();
  train_.reset();
}

}  // namespace levin::core
