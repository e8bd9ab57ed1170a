#include "core/logging/metrics/stateful_metric.hpp"

#include <map>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

// The keys of the first state have no prefix.
std::string prefix_of(size_t place) { return place == 0 ? "" : "of another process " + std::to_string(place) + "/"; }

template <class Value>
void add(std::map<std::string, Value>& to, const std::map<std::string, Value>& from, const std::string& prefix) {
  for (const auto& [key, value] : from) to[prefix + key] = value;
}

template <class Value>
void take(std::map<std::string, Value>& to, const std::map<std::string, Value>& from, size_t place) {
  const std::string prefix = prefix_of(place), other = "of another process ";
  for (const auto& [key, value] : from)
    if (place == 0 ? !starts_with(key, other) : starts_with(key, prefix)) to[key.substr(prefix.size())] = value;
}

}  // namespace

std::optional<double> StatefulMetric::compute() const {
  double out;
  return table->compute && table->compute(self, &out) >= 0 ? std::optional<double>(out) : std::nullopt;
}

std::optional<double> StatefulMetric::compute_step() const {
  if (!LEVIN_HAS(levin_metric, table, compute_step)) return compute();
  double out;
  return table->compute_step(self, &out) >= 0 ? std::optional<double>(out) : std::nullopt;
}

bool StatefulMetric::shares_state() const {
  return table && table->state && table->reset && LEVIN_HAS(levin_object, &table->o, load);
}

void StatefulMetric::reset() const {
  if (table->reset) table->reset(self);
}

StateBag StatefulMetric::state(const std::string& name) const {
  StateBag out;
  if (!table || !table->state) return out;
  const levin_writer writer = out.writer();
  levin_metric_state visitor{};
  visitor.size = sizeof visitor;
  visitor.ctx = const_cast<levin_writer*>(&writer);
  visitor.tensor = [](const levin_metric_state* v, const char* tensor_name, levin_tensor* tensor, uint32_t how) {
    if (how > LEVIN_REDUCE_CAT)
      return failed_service(
          std::string("the state '") + tensor_name + "' of a metric has no reduction of LEVIN_REDUCE_*",
          LEVIN_E_INVALID);
    const auto* to = static_cast<const levin_writer*>(v->ctx);
    return to->put_tensor(to, tensor_name, tensor);
  };
  if (table->state(self, &visitor) < 0)
    throw Error(ErrorCode::model_failed, "the metric '" + name + "' could not return its state" +
                                             (service_failure().empty() ? "" : ": " + service_failure()));
  return out;
}

void StatefulMetric::add(const StateBag& state, const std::string& name) const {
  const levin_reader reader = state.reader("");
  if (table->o.load(self, &reader) < 0)
    throw Error(ErrorCode::checkpoint_state_refused, "the metric '" + name + "' rejects its saved state");
}

StateBag put_together(const std::vector<StateBag>& states) {
  StateBag out;
  for (size_t i = 0; i < states.size(); ++i) {
    add(out.tensors(), states[i].tensors(), prefix_of(i));
    add(out.bytes(), states[i].bytes(), prefix_of(i));
    add(out.types(), states[i].types(), prefix_of(i));
  }
  return out;
}

std::vector<StateBag> taken_apart(const StateBag& bag) {
  std::vector<StateBag> out;
  for (;;) {
    StateBag one;
    take(one.tensors(), bag.tensors(), out.size());
    take(one.bytes(), bag.bytes(), out.size());
    take(one.types(), bag.types(), out.size());
    if (one.empty()) return out;
    out.push_back(std::move(one));
  }
}

}  // namespace levin::core
