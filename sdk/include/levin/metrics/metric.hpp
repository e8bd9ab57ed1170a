// What every metric is: a state that grows batch by batch, and a number made of it.
#pragma once
#include <ATen/ATen.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "levin/model.hpp"

namespace levin::metrics {

class Metric {
 public:
  virtual ~Metric() = default;
  // A scalar on the device of the state; NaN where nothing was seen. Does not wait for the device.
  virtual at::Tensor value() const = 0;
  double compute() const { return value().item().toDouble(); }
  void reset() {
    for (State& s : states_) s.tensor = at::Tensor();
  }

  // For ranks and checkpoints: each state, with how ranks put theirs together (LEVIN_REDUCE_*).
  struct State {
    const char* name;
    uint32_t reduce;
    at::Tensor tensor;  // undefined: nothing was seen
  };
  const std::vector<State>& states() const { return states_; }
  const levin_metric& table() const;

 protected:
  explicit Metric(std::vector<State> states) : states_(std::move(states)) {}
  bool empty() const { return !states_[0].tensor.defined(); }
  const at::Tensor& state(size_t i) const { return states_[i].tensor; }
  static at::Tensor nothing() { return at::full({}, std::numeric_limits<double>::quiet_NaN(), at::kDouble); }

  // Never in place: a state that was made in inference mode may not change outside of it.
  void merge(size_t i, const at::Tensor& more) {
    const at::NoGradGuard no_grad;
    State& s = states_[i];
    const at::Tensor value = more.detach();
    if (!s.tensor.defined())
      s.tensor = value.clone();
    else if (s.reduce == LEVIN_REDUCE_MIN)
      s.tensor = at::minimum(s.tensor, value);
    else if (s.reduce == LEVIN_REDUCE_MAX)
      s.tensor = at::maximum(s.tensor, value);
    else if (s.reduce == LEVIN_REDUCE_CAT)
      s.tensor = at::cat({s.tensor, value});
    else
      s.tensor = s.tensor + value;
  }

 private:
  std::vector<State> states_;
};

inline const levin_metric& Metric::table() const {
  static const levin_metric shared = [] {
    levin_metric t{};
    t.o.size = sizeof t;
    t.state = [](void* self, const levin_metric_state* visitor) -> levin_status {
      for (const State& s : static_cast<Metric*>(self)->states()) {
        if (!s.tensor.defined()) continue;
        const levin_status status = visitor->tensor(visitor, s.name, to_handle(s.tensor), s.reduce);
        if (status < 0) return status;
      }
      return LEVIN_OK;
    };
    t.compute = [](void* self, double* out) -> levin_status {
      try {
        *out = static_cast<Metric*>(self)->compute();
        return LEVIN_OK;
      } catch (...) {
        return LEVIN_E_EXCEPTION;
      }
    };
    t.reset = [](void* self) -> levin_status { return static_cast<Metric*>(self)->reset(), LEVIN_OK; };
    return t;
  }();
  return shared;
}

// The Trainer asks the metric at the end of the epoch, and resets it. on_step: its value so far, made in each step
// unless `options` has not_on_step.
inline void log(const detail::ModelBase& model, const char* name, Metric& metric, const LogOptions& options = {}) {
  levin_log arguments = detail::log_arguments(name, options);
  at::Tensor now;
  if (options.on_step != 0) now = metric.value();
  arguments.tensor = to_handle(now);
  arguments.metric = &metric.table();
  arguments.metric_self = &metric;
  model.run().log(arguments);
}

}  // namespace levin::metrics
