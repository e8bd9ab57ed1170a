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
    for (State& s : states_) s.tensor = at::Tensor(), s.parts.clear();
  }

  // For ranks and checkpoints: each state, with how ranks put theirs together (LEVIN_REDUCE_*).
  struct State {
    const char* name;
    uint32_t reduce;
    at::Tensor tensor;                   // undefined: nothing was seen
    std::vector<at::Tensor> parts = {};  // LEVIN_REDUCE_CAT: what comes behind `tensor` when the state is read
  };
  const std::vector<State>& states() const {
    for (State& s : states_) gather(s);
    return states_;
  }
  const levin_metric& table() const;

 protected:
  explicit Metric(std::vector<State> states) : states_(std::move(states)) {}
  bool empty() const { return !states_[0].tensor.defined() && states_[0].parts.empty(); }
  const at::Tensor& state(size_t i) const {
    gather(states_[i]);
    return states_[i].tensor;
  }
  static at::Tensor nothing() { return at::full({}, std::numeric_limits<double>::quiet_NaN(), at::kDouble); }

  // Never in place: a state that was made in inference mode may not change outside of it.
  void merge(size_t i, const at::Tensor& more) {
    const at::NoGradGuard no_grad;
    State& s = states_[i];
    const at::Tensor value = more.detach();
    if (s.reduce == LEVIN_REDUCE_CAT)
      s.parts.push_back(value.clone());
    else if (!s.tensor.defined())
      s.tensor = value.clone();
    else if (s.reduce == LEVIN_REDUCE_MIN)
      s.tensor = at::minimum(s.tensor, value);
    else if (s.reduce == LEVIN_REDUCE_MAX)
      s.tensor = at::maximum(s.tensor, value);
    else
      s.tensor = s.tensor + value;
  }

 private:
  // Adds a state that was saved earlier in the epoch.
  void add(const levin_reader* reader) {
    using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
    for (size_t i = 0; i < states_.size(); ++i) {
      levin_tensor* given = nullptr;
      if (reader->get_tensor(reader, states_[i].name, &given) != LEVIN_OK) continue;
      const at::Tensor saved(Pointer::reclaim(reinterpret_cast<c10::TensorImpl*>(given)));
      merge(i, state(i).defined() ? saved.to(state(i).device()) : saved);
    }
  }
  // Once for all batches since the last time, so that an epoch costs no more than its samples.
  static void gather(State& s) {
    if (s.parts.empty()) return;
    const at::NoGradGuard no_grad;
    if (s.tensor.defined()) s.parts.insert(s.parts.begin(), s.tensor);
    s.tensor = s.parts.size() == 1 ? s.parts[0] : at::cat(s.parts);
    s.parts.clear();
  }
  mutable std::vector<State> states_;  // reading one puts its parts together
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
    t.o.load = [](void* self, const levin_reader* reader) -> levin_status {
      try {
        return static_cast<Metric*>(self)->add(reader), LEVIN_OK;
      } catch (...) {
        return LEVIN_E_EXCEPTION;
      }
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

// The Trainer asks the metric for its value when somebody needs it: at the end of the epoch, and with on_step for the
// batches so far. It resets the metric.
inline void log(const detail::ModelBase& model, const char* name, Metric& metric, const LogOptions& options = {}) {
  levin_log arguments = detail::log_arguments(name, options);
  arguments.metric = &metric.table();
  arguments.metric_self = &metric;
  model.run().log(arguments);
}

}  // namespace levin::metrics
