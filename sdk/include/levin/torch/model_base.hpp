// What the class of a model has: its batch, its optimizers, log, and what the host told it.
#pragma once
#include <torch/nn/module.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/data_info.hpp"
#include "levin/detail/optim_plan.hpp"
#include "levin/torch/tensor.hpp"

namespace levin {

// Borrowed for the call. The tensors' first dimension is the batch.
class Batch {
 public:
  // data: what input() and target() go by; outlives the batch.
  explicit Batch(const levin_batch* raw, const DataInfo* data = nullptr) : raw_(raw), data_(data) {}
  explicit operator bool() const { return raw_ != nullptr; }  // false: this loader is exhausted (max_size)
  // The first field of that role in the data's description, whatever its name.
  torch::Tensor input() const { return of_role(LEVIN_ROLE_INPUT); }
  torch::Tensor target() const { return of_role(LEVIN_ROLE_TARGET); }
  torch::Tensor operator[](size_t field) const {
    if (field >= raw_->n)
      throw Error(LEVIN_E_INVALID,
                  "the batch has " + std::to_string(raw_->n) + " fields, not a field " + std::to_string(field));
    return to_torch(raw_->tensors[field]);
  }
  torch::Tensor operator[](int field) const { return (*this)[static_cast<size_t>(field)]; }
  torch::Tensor operator[](const char* name) const {
    std::string known;
    for (uint32_t i = 0; raw_->names && i < raw_->n; ++i) {
      if (std::strcmp(raw_->names[i], name) == 0) return to_torch(raw_->tensors[i]);
      known += std::string(known.empty() ? "" : ", ") + raw_->names[i];
    }
    throw Error(LEVIN_E_NOT_FOUND, std::string("the batch has no field '") + name + "'; it has: " + known);
  }
  size_t size() const { return raw_->n; }
  int64_t rows() const { return raw_->rows; }
  const levin_batch* raw() const { return raw_; }

 private:
  // By name where fields have names: several loaders need not have them in one order.
  torch::Tensor of_role(uint32_t role) const {
    if (!data_ || data_->fields().empty())
      throw Error(LEVIN_E_STATE, "this batch comes without a description of its data: take fields by position or name");
    const Field& field = role == LEVIN_ROLE_INPUT ? data_->input() : data_->target();
    return raw_->names ? (*this)[field.name.c_str()] : (*this)[data_->index_of(role)];
  }
  const levin_batch* raw_;
  const DataInfo* data_;
};

// Callbacks that come with a model: components of its own plugin. Each takes the place of those of its component.
class CallbackList {
 public:
  explicit CallbackList(const levin_callback_list* raw) : raw_(raw) {}
  void add(const char* component, const char* options_json = "{}", const char* name = nullptr) const {
    detail::check(raw_->add(raw_, component, name, options_json), component);
  }

 private:
  const levin_callback_list* raw_;
};

// Everything a step may want to know beside its batch. Borrowed for the call.
struct StepInfo {
  Stage stage;
  int64_t batch_idx, dataloader_idx, optimizer_idx, split_idx;
  std::vector<Batch> batches;          // of every loader that gives one now; false: it is exhausted
  std::vector<torch::Tensor> hiddens;  // of the split before; empty on the first
};

// What a step may return.
struct Outputs {
  torch::Tensor loss = {};
  std::vector<std::pair<std::string, torch::Tensor>> extras = {};  // reach on_*_batch_end; a prediction's tensors
  std::vector<torch::Tensor> hiddens = {};                         // truncated back-propagation
};

// One optimizer under manual optimization.
class OptimizerHandle {
 public:
  OptimizerHandle(Run run, uint32_t index) : run_(run), index_(index) {}
  void zero_grad() const { detail::check(run_.optim().zero_grad(run_.raw(), index_), "zero_grad"); }
  void step() const { detail::check(run_.optim().step(run_.raw(), index_, nullptr, nullptr), "optimizer step"); }
  // closure(): forward, zero_grad and manual_backward; L-BFGS calls it several times, the others once.
  template <class F>
  void step(F&& closure) const {
    struct Call {
      F& closure;
      const levin_host* host;
    } call{closure, run_.host()};
    const auto thunk = [](void* ctx) -> levin_status {
      const Call& c = *static_cast<Call*>(ctx);
      return detail::guard(c.host, [&] { c.closure(); });
    };
    detail::check(run_.optim().step(run_.raw(), index_, thunk, &call), "optimizer step");
  }
  void clip_gradients(double value, const char* algorithm = "norm") const {
    detail::check(run_.optim().clip(run_.raw(), index_, value, algorithm), "clip_gradients");
  }
  // Parameters of the other optimizers do not require grad between toggle and untoggle.
  void toggle() const { detail::check(run_.optim().toggle(run_.raw(), index_, 1), "toggle"); }
  void untoggle() const { detail::check(run_.optim().toggle(run_.raw(), index_, 0), "untoggle"); }
  double get(const char* option, uint32_t group = 0) const {
    double value;
    detail::check(run_.optim().get(run_.raw(), index_, group, option, &value), option);
    return value;
  }
  void set(const char* option, double value, uint32_t group = 0) const {
    detail::check(run_.optim().set(run_.raw(), index_, group, option, value), option);
  }

 private:
  Run run_;
  uint32_t index_;
};

// What an override of optimizer_step, backward, lr_scheduler_step ... is told.
class OptimCall {
 public:
  OptimCall(const detail::Services* services, const levin_optim_call* raw) : s_(services), raw_(raw) {}
  int64_t epoch() const { return raw_->epoch; }
  int64_t batch_idx() const { return raw_->batch_idx; }
  uint32_t optimizer_idx() const { return static_cast<uint32_t>(raw_->optimizer_idx); }
  uint32_t scheduler_idx() const { return static_cast<uint32_t>(raw_->scheduler_idx); }
  double metric() const { return raw_->metric; }
  double clip_val() const { return raw_->clip_val; }
  std::string clip_algorithm() const { return raw_->clip_algorithm ? raw_->clip_algorithm : ""; }
  torch::Tensor loss() const { return to_torch(raw_->loss); }
  Run run() const { return Run(s_, raw_->run); }
  // Forward, zero_grad and backward; then the optimizer's own step.
  void step() const {
    detail::check(run().optim().step(raw_->run, optimizer_idx(), raw_->closure, raw_->ctx), "optimizer step");
  }
  void closure() const {
    if (raw_->closure) detail::check(raw_->closure(raw_->ctx), "closure");
  }

 private:
  const detail::Services* s_;
  const levin_optim_call* raw_;
};

namespace detail {
// What the base of every model keeps; set around each call.
class ModelBase : public Object {
 public:
  ModelBase() : data_(creating().in ? creating().in->data : nullptr) {}
  const DataInfo& data() const { return data_; }
  Run run() const { return Run(&services(), run_); }
  void log(const char* metric, const torch::Tensor& value, const LogOptions& options = {}) const {
    levin_log arguments = log_arguments(metric, options);
    arguments.tensor = to_handle(value);
    run().log(arguments);
  }
  void log(const char* metric, double value, const LogOptions& options = {}) const {
    run().log(metric, value, options);
  }
  int64_t current_epoch() const { return run().integer("current_epoch"); }
  int64_t global_step() const { return run().integer("global_step"); }
  OptimizerHandle optimizers(uint32_t index = 0) const { return OptimizerHandle(run(), index); }
  // One schedule under manual optimization; metric: for those that monitor one.
  void scheduler_step(uint32_t index = 0, double metric = std::numeric_limits<double>::quiet_NaN()) const {
    check(run().optim().scheduler_step(run_, index, metric), "scheduler_step");
  }
  void manual_backward(const torch::Tensor& loss, bool retain_graph = false) const {
    check(run().optim().backward(run_, to_handle(loss), retain_graph), "backward");
  }
  void set_run(levin_run* run) { run_ = run; }

 private:
  DataInfo data_;
  levin_run* run_ = nullptr;
};

// A batch for a model, whose class may have something else that is called data.
inline Batch batch_for(const ModelBase& model, const levin_batch* raw) { return Batch(raw, &model.data()); }
}  // namespace detail

}  // namespace levin
