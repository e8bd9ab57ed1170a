// The base of metrics: a state that is updated batch by batch, and a value computed from it.
#pragma once
#include <ATen/ATen.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "levin/torch/model_base.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics {

class Metric {
 public:
  virtual ~Metric() = default;
  // Returns a scalar on the device of the state; NaN without any update. Does not wait for the device.
  virtual at::Tensor value() const = 0;
  // Returns the value as a number; waits for the device.
  double compute() const { return value().item().toDouble(); }
  // Returns the value of the batch: of the updates between the last two logs on the step, or from the last reset to the
  // last log on the step.
  double compute_step() const {
    if (recent_.empty()) return compute();  // never logged on the step
    const RecentForAll exchanged(*this);
    return compute();
  }
  void reset() {
    clear(states_);
    clear(recent_);
  }
  // From now on the state of the batch is kept, too. The next merge begins a new batch.
  void logged_on_step() {
    if (recent_.empty()) recent_ = states_;
    recent_is_logged_ = true;
  }

  // One part of the state, for reduction over ranks (LEVIN_REDUCE_*) and checkpoints.
  struct State {
    const char* name;
    uint32_t reduce;
    at::Tensor tensor;                   // undefined = no update yet
    std::vector<at::Tensor> parts = {};  // LEVIN_REDUCE_CAT: to be appended to `tensor` when the state is read
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
  // Returns part / whole element by element; 0 if the whole is 0.
  static at::Tensor divided(const at::Tensor& part, const at::Tensor& whole) {
    return at::where(whole > 0, part / whole.clamp_min(1), at::zeros_like(part));
  }

  // Merges a value into state i by its LEVIN_REDUCE_*, without gradients. Not in place, because a tensor made in
  // inference mode must not be changed outside of it.
  void merge(size_t i, const at::Tensor& more) {
    const at::NoGradGuard no_grad;
    const bool kept = !recent_.empty() || states_[i].reduce == LEVIN_REDUCE_CAT || !states_[i].tensor.defined();
    const at::Tensor value = kept ? more.detach().clone() : more.detach();
    add_to(states_[i], value);
    if (recent_.empty()) return;
    if (std::exchange(recent_is_logged_, false)) clear(recent_);
    add_to(recent_[i], value);
  }

 private:
  // While an object exists, the metric has the state of the batch.
  struct RecentForAll {
    const Metric& metric;
    explicit RecentForAll(const Metric& of) : metric(of) { metric.states_.swap(metric.recent_); }
    ~RecentForAll() { metric.states_.swap(metric.recent_); }
    RecentForAll(const RecentForAll&) = delete;
    RecentForAll& operator=(const RecentForAll&) = delete;
  };
  // Adds a state that a checkpoint saved earlier in the epoch. It is not part of the batch.
  void add(const levin_reader* reader) {
    using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
    for (size_t i = 0; i < states_.size(); ++i) {
      levin_tensor* given = nullptr;
      if (reader->get_tensor(reader, states_[i].name, &given) != LEVIN_OK) continue;
      const at::Tensor saved(Pointer::reclaim(reinterpret_cast<c10::TensorImpl*>(given)));
      add_to(states_[i], state(i).defined() ? saved.to(state(i).device()) : saved);
    }
  }
  // A state that the Trainer restored is on the CPU; it is moved to the device of the next batch.
  static void add_to(State& s, const at::Tensor& value) {
    if (s.reduce != LEVIN_REDUCE_CAT && s.tensor.defined()) s.tensor = s.tensor.to(value.device());
    if (s.reduce == LEVIN_REDUCE_CAT)
      s.parts.push_back(value);
    else if (!s.tensor.defined())
      s.tensor = value;
    else if (s.reduce == LEVIN_REDUCE_MIN)
      s.tensor = at::minimum(s.tensor, value);
    else if (s.reduce == LEVIN_REDUCE_MAX)
      s.tensor = at::maximum(s.tensor, value);
    else
      s.tensor = s.tensor + value;
  }
  static void clear(std::vector<State>& states) {
    for (State& s : states) s.tensor = at::Tensor(), s.parts.clear();
  }
  // Concatenates all new parts at once, so that the cost of an epoch is linear in its samples.
  static void gather(State& s) {
    if (s.parts.empty()) return;
    const at::NoGradGuard no_grad;
    if (s.tensor.defined()) s.parts.insert(s.parts.begin(), s.tensor);
    for (at::Tensor& part : s.parts) part = part.to(s.parts.back().device());
    s.tensor = s.parts.size() == 1 ? s.parts[0] : at::cat(s.parts);
    s.parts.clear();
  }
  mutable std::vector<State> states_;  // reading a state concatenates its parts
  mutable std::vector<State> recent_;  // of the batch; empty until the metric is logged on the step
  bool recent_is_logged_ = false;      // the next update begins a new batch
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
    t.compute_step = [](void* self, double* out) -> levin_status {
      try {
        *out = static_cast<Metric*>(self)->compute_step();
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

// Logs a metric, which must live as long as the model. The Trainer computes its value when it is needed: at the end of
// the epoch, and with on_step also for the batch. The Trainer resets it.
inline void log(const detail::ModelBase& model, const char* name, Metric& metric, const LogOptions& options = {}) {
  levin_log arguments = detail::log_arguments(name, options);
  arguments.metric = &metric.table();
  arguments.metric_self = &metric;
  if (options.on_step != 0) metric.logged_on_step();  // before the Trainer may restore its state
  model.run().log(arguments);
}
inline void log(const detail::ModelBase& model, const std::string& name, Metric& metric,
                const LogOptions& options = {}) {
  log(model, name.c_str(), metric, options);
}

}  // namespace levin::metrics
#pragma GCC visibility pop
