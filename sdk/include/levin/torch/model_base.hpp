// The base of models, and the types of its members: batch, outputs, optimizers.
#pragma once
#include <ATen/ops/stack.h>
#include <torch/nn/module.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/data_info.hpp"
#include "levin/detail/optim_plan.hpp"
#include "levin/torch/dist.hpp"
#include "levin/torch/tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The batch of a step, borrowed for the call. The first dimension of its tensors is the batch.
class Batch {
 public:
  // data describes the fields for input() and target(). It must outlive the batch.
  explicit Batch(const levin_batch* raw, const DataInfo* data = nullptr) : raw_(raw), data_(data) {}
  explicit operator bool() const { return raw_ != nullptr; }  // false = this loader is exhausted (max_size)
  // Returns the first field with the role input in the description of the data. Throws Error if there is none.
  torch::Tensor input() const { return of_role(LEVIN_ROLE_INPUT); }
  torch::Tensor target() const { return of_role(LEVIN_ROLE_TARGET); }
  // Returns a field by its position or name. Throws Error if the batch has no such field.
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
  torch::Tensor operator[](const std::string& name) const { return (*this)[name.c_str()]; }
  size_t size() const { return raw_->n; }  // number of fields
  int64_t rows() const { return raw_->rows; }
  const levin_batch* raw() const { return raw_; }

 private:
  // Fields with names are found by name, because the order may differ between loaders.
  torch::Tensor of_role(uint32_t role) const {
    if (!data_ || data_->fields().empty())
      throw Error(LEVIN_E_STATE, "this batch comes without a description of its data: take fields by position or name");
    const Field& field = role == LEVIN_ROLE_INPUT ? data_->input() : data_->target();
    return raw_->names ? (*this)[field.name.c_str()] : (*this)[data_->index_of(role)];
  }
  const levin_batch* raw_;
  const DataInfo* data_;
};

// Receives the callbacks of a model, which are components of the model's plugin. They replace callbacks of the same
// component.
class CallbackList {
 public:
  explicit CallbackList(const levin_callback_list* raw) : raw_(raw) {}
  // options_json: a JSON object of the callback's options; name: of the instance, by default the component's id.
  void add(const char* component, const char* options_json = "{}", const char* name = nullptr) const {
    detail::check(raw_->add(raw_, component, name, options_json), component);
  }

 private:
  const levin_callback_list* raw_;
};

// Further arguments of a step. The batches are borrowed for the call.
struct StepInfo {
  Stage stage;
  int64_t batch_idx, dataloader_idx;
  int64_t optimizer_idx;               // -1 = there is one optimizer, or optimization is manual
  int64_t split_idx;                   // of truncated backpropagation; -1 = the batch is not split
  std::vector<Batch> batches;          // of every loader combined in this step; a batch that is false: exhausted loader
  std::vector<torch::Tensor> hiddens;  // of the previous split, detached; empty in the first split
};

// The result of a step.
struct Outputs {
  torch::Tensor loss = {};  // a scalar that requires grad; in predict_step the prediction
  std::vector<std::pair<std::string, torch::Tensor>> extras = {};  // passed to on_*_batch_end; a prediction's tensors
  std::vector<torch::Tensor> hiddens = {};                         // of truncated backpropagation, for the next split
};

// An optimizer in manual optimization. Valid for the run.
class OptimizerHandle {
 public:
  OptimizerHandle(Run run, uint32_t index) : run_(run), index_(index) {}
  void zero_grad() const { detail::check(run_.optim().zero_grad(run_.raw(), index_), "zero_grad"); }
  void step() const { detail::check(run_.optim().step(run_.raw(), index_, nullptr, nullptr), "optimizer step"); }
  // closure() makes forward, zero_grad and manual_backward. L-BFGS calls it several times, other optimizers once.
  template <class F>
  void step(F&& closure) const {
    struct Call {
      F& closure;
      const levin_host* host;
    } call{closure, run_.host()};
    const auto thunk = [](void* ctx) -> levin_status {
      const Call& current = *static_cast<Call*>(ctx);
      return detail::guard(current.host, [&] { current.closure(); });
    };
    detail::check(run_.optim().step(run_.raw(), index_, thunk, &call), "optimizer step");
  }
  // algorithm: "norm" or "value".
  void clip_gradients(double value, const char* algorithm = "norm") const {
    detail::check(run_.optim().clip(run_.raw(), index_, value, algorithm), "clip_gradients");
  }
  // Between toggle and untoggle the parameters of the other optimizers do not require grad.
  void toggle() const { detail::check(run_.optim().toggle(run_.raw(), index_, 1), "toggle"); }
  void untoggle() const { detail::check(run_.optim().toggle(run_.raw(), index_, 0), "untoggle"); }
  // Returns a numeric option, such as "lr"; a bool is 0 or 1, betas are "beta1" and "beta2".
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

// The argument of overrides such as optimizer_step, backward and lr_scheduler_step. Borrowed for the call.
class OptimCall {
 public:
  OptimCall(const detail::Services* services, const levin_optim_call* raw) : services_(services), raw_(raw) {}
  int64_t epoch() const { return raw_->epoch; }
  int64_t batch_idx() const { return raw_->batch_idx; }
  uint32_t optimizer_idx() const { return static_cast<uint32_t>(raw_->optimizer_idx); }
  uint32_t scheduler_idx() const { return static_cast<uint32_t>(raw_->scheduler_idx); }
  double metric() const { return raw_->metric; }      // the monitored value; NaN = none
  double clip_val() const { return raw_->clip_val; }  // NaN = none
  std::string clip_algorithm() const { return raw_->clip_algorithm ? raw_->clip_algorithm : ""; }
  torch::Tensor loss() const { return to_torch(raw_->loss); }
  Run run() const { return Run(services_, raw_->run); }
  // Steps the optimizer, which calls closure().
  void step() const {
    detail::check(run().optim().step(raw_->run, optimizer_idx(), raw_->closure, raw_->ctx), "optimizer step");
  }
  // Makes forward, zero_grad and backward. Does nothing if there is no closure.
  void closure() const {
    if (raw_->closure) detail::check(raw_->closure(raw_->ctx), "closure");
  }

 private:
  const detail::Services* services_;
  const levin_optim_call* raw_;
};

namespace detail {
// The base of every model. The SDK sets its run before each call.
class ModelBase : public Object {
 public:
  ModelBase() : data_(creating().in ? creating().in->data : nullptr) {}
  const DataInfo& data() const { return data_; }  // description of the data; available in the constructor
  Run run() const { return Run(&services(), run_); }
  void log(const char* metric, const torch::Tensor& value, const LogOptions& options = {}) const {
    levin_log arguments = log_arguments(metric, options);
    arguments.tensor = to_handle(value);
    run().log(arguments);
  }
  void log(const char* metric, double value, const LogOptions& options = {}) const {
    run().log(metric, value, options);
  }
  void log(const std::string& metric, const torch::Tensor& value, const LogOptions& options = {}) const {
    log(metric.c_str(), value, options);
  }
  void log(const std::string& metric, double value, const LogOptions& options = {}) const {
    run().log(metric, value, options);
  }
  // Returns the tensors of all ranks, stacked along a new first dimension, also with one rank. All must have the same
  // shape. sync_grads: gradients flow back: the gradient of a rank's tensor is the sum of its gradients on all ranks.
  torch::Tensor all_gather(const torch::Tensor& tensor, bool sync_grads = false, const Group& group = {}) const {
    return at::stack(TorchDist(run()).all_gather(tensor, group, sync_grads));
  }
  // Returns the run's device; in the constructor, where there is no run yet, the CPU.
  torch::Device device() const {
    levin_device current{LEVIN_CPU, 0};
    if (run_) check(run().devices().current(run_, &current), "device");
    return to_torch(current);
  }
  // Returns all devices of this process, device() first. With trainer.strategy model_parallel the model places its
  // parts on them in setup or configure_model.
  std::vector<torch::Device> devices() const {
    std::vector<torch::Device> out;
    if (!run_) return {device()};
    for (const levin_device& each : run().all_devices()) out.push_back(to_torch(each));
    return out;
  }
  int64_t current_epoch() const { return run().current_epoch(); }
  int64_t global_step() const { return run().global_step(); }
  OptimizerHandle optimizers(uint32_t index = 0) const { return OptimizerHandle(run(), index); }
  // Steps a schedule in manual optimization. metric: for schedules that monitor one.
  void scheduler_step(uint32_t index = 0, double metric = std::numeric_limits<double>::quiet_NaN()) const {
    check(run().optim().scheduler_step(run_, index, metric), "scheduler_step");
  }
  void manual_backward(const torch::Tensor& loss, bool retain_graph = false) const {
    check(run().optim().backward(run_, to_handle(loss), retain_graph), "backward");
  }
  void set_run(levin_run* run) { run_ = run; }

 private:
  friend struct Loan;
  DataInfo data_;
  levin_run* run_ = nullptr;
};

// Returns the batch for a model, which is taken as a ModelBase because its class may hide data().
inline Batch batch_for(const ModelBase& model, const levin_batch* raw) { return Batch(raw, &model.data()); }
}  // namespace detail

}  // namespace levin
#pragma GCC visibility pop
