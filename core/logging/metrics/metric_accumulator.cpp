#include "core/logging/metrics/metric_accumulator.hpp"

#include <ATen/ops/full_like.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/json.hpp"

namespace levin::core {
namespace {

// Reads a scalar on the CPU without LibTorch's dispatcher, which is faster. Sets `wide` to true for a double.
bool read_cpu(const at::Tensor& value, double& out, bool& wide) {
  if (!value.device().is_cpu()) return false;
  switch (value.scalar_type()) {
    case at::kFloat:
      out = *value.data_ptr<float>();
      return true;
    case at::kDouble:
      out = *value.data_ptr<double>(), wide = true;
      return true;
    case at::kLong:
      out = static_cast<double>(*value.data_ptr<int64_t>());
      return true;
    default:
      out = value.item().toDouble();
      return true;
  }
}

bool is_sum(Reduce reduce) { return reduce == Reduce::mean || reduce == Reduce::sum; }

// Returns NaN if either value is NaN, in any order, like LibTorch's minimum and maximum of tensors.
double extreme(Reduce reduce, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return reduce == Reduce::min ? std::min(a, b) : std::max(a, b);
}

}  // namespace

void MetricAccumulator::reset() {
  step_ = total_ = 0;
  step_tensor_.reset();
  total_tensor_.reset();
  weight_ = 0;
  empty_ = true;
  wide_ = false;
}

void MetricAccumulator::update(double value, Reduce reduce, int64_t weight, bool on_epoch) {
  step_ = round(value);
  if (on_epoch) accumulate(step_, reduce, weight);
}

void MetricAccumulator::update(const at::Tensor& value, Reduce reduce, int64_t weight, bool on_epoch) {
  double number;
  if (read_cpu(value, number, wide_)) return update(number, reduce, weight, on_epoch);
  const at::NoGradGuard no_grad;
  const at::Tensor detached = value.detach().reshape({});
  step_tensor_ = detached.is_floating_point() ? detached.clone() : detached.to(at::kFloat);
  if (on_epoch) accumulate(step_tensor_, reduce, weight);
}

void MetricAccumulator::accumulate(double value, Reduce reduce, int64_t weight) {
  if (is_sum(reduce))
    total_ = round(total_ + (reduce == Reduce::mean ? round(value * static_cast<double>(weight)) : value));
  else
    total_ = empty_ ? value : extreme(reduce, total_, value);
  weight_ += weight;
  empty_ = false;
}

void MetricAccumulator::accumulate(const at::Tensor& value, Reduce reduce, int64_t weight) {
  const at::Tensor term = reduce == Reduce::mean ? value * weight : value;
  // In a resumed epoch, the total so far is a plain number from the checkpoint.
  if (!empty_ && !total_tensor_.defined()) total_tensor_ = at::full_like(term, total_);
  total_tensor_ = empty_                  ? term
                  : is_sum(reduce)        ? total_tensor_ + term
                  : reduce == Reduce::min ? at::minimum(total_tensor_, term)
                                          : at::maximum(total_tensor_, term);
  weight_ += weight;
  empty_ = false;
}

nlohmann::json MetricAccumulator::state_dict() const {
  const double total = total_tensor_.defined() ? total_tensor_.item().toDouble() : total_;
  return {{"step", number_to_json(step())},
          {"total", number_to_json(total)},
          {"weight", weight_},
          {"empty", empty_},
          {"wide", wide_}};
}

void MetricAccumulator::load_state_dict(const nlohmann::json& state) {
  reset();
  step_ = number_from_json(state.at("step"));
  total_ = number_from_json(state.at("total"));
  weight_ = state.at("weight").get<int64_t>();
  empty_ = state.at("empty").get<bool>();
  wide_ = state.at("wide").get<bool>();
}

double MetricAccumulator::step() const { return step_tensor_.defined() ? step_tensor_.item().toDouble() : step_; }

double MetricAccumulator::epoch(Reduce reduce) const { return joined({part()}, reduce); }

MetricAccumulator::Part MetricAccumulator::part() const {
  return {total_tensor_.defined() ? total_tensor_.item().toDouble() : total_, weight_, wide_};
}

void MetricAccumulator::add(const MetricAccumulator& other, Reduce reduce) {
  if (other.empty_) return;
  const double mine = part().total, theirs = other.part().total;
  wide_ = wide_ || other.wide_;
  total_ = empty_ ? theirs : is_sum(reduce) ? round(mine + theirs) : extreme(reduce, mine, theirs);
  total_tensor_.reset();
  weight_ += other.weight_;
  empty_ = false;
}

double MetricAccumulator::joined(const std::vector<Part>& parts, Reduce reduce) {
  Part all = parts.at(0);
  for (size_t i = 1; i < parts.size(); ++i) {
    const double more = parts[i].total;
    all.total = is_sum(reduce) ? all.total + more : extreme(reduce, all.total, more);
    all.weight += parts[i].weight;
    all.wide = all.wide || parts[i].wide;
  }
  const bool divides = reduce == Reduce::mean && all.weight > 0;
  if (!divides && parts.size() == 1) return all.total;
  const double value = divides ? all.total / static_cast<double>(all.weight) : all.total;
  return all.wide ? value : static_cast<double>(static_cast<float>(value));
}

}  // namespace levin::core
