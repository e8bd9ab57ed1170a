#include "core/loops/optimization/captured_pass.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/variable.h>

#include <cmath>

#include "core/abi/border_watch.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/checkpoint/generators.hpp"

namespace levin::core {
namespace {

constexpr int warm_up_steps = 3;     // eager ones, in which LibTorch chooses algorithms and allocates its workspaces
constexpr int compared_replays = 2;  // with eager steps
constexpr double tolerance = 1e-3, tolerance_of_halves = 5e-2;  // relative, of the loss and of all gradients together

bool is_half(const at::Tensor& t) { return t.scalar_type() == at::kHalf || t.scalar_type() == at::kBFloat16; }

// Returns the first line of the error.
std::string brief_of(const std::exception& e) {
  const std::string text = e.what();
  return text.substr(0, text.find('\n'));
}

class RecorderScope {
 public:
  RecorderScope(LoggerConnector& log, LoggerConnector::Recorder recorder) : log_(log) {
    log_.record(std::move(recorder));
  }
  ~RecorderScope() { log_.record(nullptr); }
  RecorderScope(const RecorderScope&) = delete;
  RecorderScope& operator=(const RecorderScope&) = delete;

 private:
  LoggerConnector& log_;
};

template <class F>
void for_each_param(const Optimizer& optimizer, const F& f) {
  for (const ParamGroup& group : optimizer.groups())
    for (const at::Tensor& p : group.params) f(p);
}

}  // namespace

// Returns "" if steps can be recorded.
std::string CapturedPass::why_not(const TrainingPass& pass, const Optimizer& optimizer) const {
  const RunPlan& plan = parts_.plan;
  const ModelOverrides& overrides = parts_.model.overrides();
  if (std::string(parts_.strategy.name()) != "single_device") return "the strategy is not single_device";
  if (parts_.optimizers.optimizers().size() != 1) return "there are several optimizers";
  if (optimizer.needs_closure()) return "optimizer '" + optimizer.id() + "' evaluates the loss itself";
  if (plan.numerics.precision == PrecisionType::mixed_16) return "16-mixed changes its loss scale; use bf16-mixed";
  if (plan.numerics.detect_anomaly) return "trainer.detect_anomaly looks at every operation";
  if (plan.supervision.profiler) return "trainer.profiler measures every call of the model";
  if (border_watch()) return "--debug-plugins checks every call of the model";
  if (plan.optimization.truncated_bptt_steps > 0) return "trainer.truncated_bptt_steps passes hidden state on";
  if (overrides.has_backward() || overrides.has_optimizer_step())
    return "the model has its own backward or optimizer_step";
  if (parts_.hooks.wants(LEVIN_HOOK_BEFORE_ZERO_GRAD)) return "a component has the hook on_before_zero_grad";
  if (parts_.hooks.wants(LEVIN_HOOK_BEFORE_BACKWARD)) return "a component has the hook on_before_backward";
  for (uint32_t i = 0; i < pass.in.batch->n; ++i)
    if (retain(pass.in.batch->tensors[i]).device() != parts_.strategy.device())
      return "a part of the batch stays on the CPU";
  return "";
}

void CapturedPass::stop(const std::string& why) {
  off_ = true;
  forget();
  parts_.warn("trainer.capture: steps are not recorded, and run as without it: " + why);
}

void CapturedPass::forget() {
  graph_.reset();
  gradients_.clear();
  inputs_.clear();
  outputs_.clear();
  logged_.clear();
  eager_steps_ = replays_compared_ = 0;
}

bool CapturedPass::same_model() {
  bool same = true;
  size_t n = 0;
  const auto see = [&](const std::vector<NamedTensor>& tensors) {
    for (const NamedTensor& t : tensors) {
      const Facts now{t.tensor.data_ptr(), t.tensor.unsafeGetTensorImpl(), t.tensor.requires_grad()};
      if (n == model_.size()) model_.emplace_back();
      same = same && model_[n] == now;
      model_[n++] = now;
    }
  };
  see(parts_.model.parameters());
  see(parts_.model.buffers());
  same = same && n == model_.size();
  model_.resize(n);
  return same;
}

bool CapturedPass::takes(const levin_step_in& in) const {
  if (in.batch->n != inputs_.size()) return false;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const at::Tensor given = retain(in.batch->tensors[i]);
    if (given.sizes() != inputs_[i].sizes() || given.scalar_type() != inputs_[i].scalar_type() ||
        given.device() != inputs_[i].device())
      return false;
  }
  return true;
}

void CapturedPass::record_log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks) {
  if (arguments.metric)
    throw Error(ErrorCode::operation_failed,
                std::string("training_step logs '") + arguments.name + "', a metric with a state");
  Logged logged{origin, arguments, arguments.name, arguments.reduce_fx ? arguments.reduce_fx : "", {}, ranks};
  if (arguments.tensor) logged.tensor = retain(arguments.tensor).detach();
  logged_.push_back(std::move(logged));
}

void CapturedPass::record(const levin_step_in& in, Optimizer& optimizer) {
  Batch batch;
  for (uint32_t i = 0; i < in.batch->n; ++i) inputs_.push_back(retain(in.batch->tensors[i]).clone());
  batch.tensors = inputs_;
  if (in.batch->sample_ids) batch.sample_ids.assign(in.batch->sample_ids, in.batch->sample_ids + in.batch->rows);
  std::vector<const char*> names;
  if (in.batch->names) names.assign(in.batch->names, in.batch->names + in.batch->n);
  batch.publish(names);
  const levin_batch* raw = batch.raw();
  levin_step_in recorded = in;
  recorded.batch = raw;
  recorded.batches = &raw;
  for_each_param(optimizer, [](const at::Tensor& p) {
    if (torch::autograd::impl::try_get_grad_accumulator(p))
      throw Error(ErrorCode::operation_failed, "something holds the autograd graph of an earlier step");
    p.mutable_grad().reset();
  });
  graph_ = make_device_graph(parts_.strategy.device());
  const RecorderScope logs(parts_.log, [this](LogOrigin origin, const levin_log& arguments,
                                              const std::vector<int>& ranks) { record_log(origin, arguments, ranks); });
  graph_->record([&] { compute_(recorded, outputs_); });
  outputs_.detach();
  for_each_param(optimizer, [this](const at::Tensor& p) { gradients_.emplace_back(p, p.grad()); });
}

void CapturedPass::replay(const levin_step_in& in) {
  for (size_t i = 0; i < inputs_.size(); ++i) inputs_[i].copy_(retain(in.batch->tensors[i]), /*non_blocking=*/true);
  graph_->replay();
}

// Replays the step, undoes it, and runs the eager one, whose results count. Synchronizes with the device.
void CapturedPass::compare(const levin_step_in& in, const StepOutputs& out, const std::function<void()>& eager) {
  std::vector<at::Tensor> buffers;
  const GeneratorStates generators = generator_states(parts_.strategy.device());
  {
    const at::NoGradGuard no_grad;
    for (const NamedTensor& b : parts_.model.buffers()) buffers.push_back(b.tensor.clone());
    replay(in);
    for (size_t i = 0; i < buffers.size(); ++i) at::Tensor(parts_.model.buffers()[i].tensor).copy_(buffers[i]);
  }
  set_generator_states(parts_.strategy.device(), generators);
  for (auto& [param, gradient] : gradients_) param.mutable_grad().reset();
  eager();
  const at::NoGradGuard no_grad;
  const at::TensorOptions number = outputs_.loss.options().dtype(at::kDouble);
  at::Tensor difference = at::zeros({}, number), size = at::zeros({}, number);
  double allowed = tolerance;
  bool alike = true;
  for (const auto& [param, gradient] : gradients_) {
    const at::Tensor& computed = param.grad();
    alike = alike && computed.defined() == gradient.defined();
    if (!alike) break;
    if (!computed.defined()) continue;
    if (is_half(computed)) allowed = tolerance_of_halves;
    difference.add_((computed - gradient).to(at::kDouble).pow(2).sum());
    size.add_(computed.to(at::kDouble).pow(2).sum());
  }
  if (parts_.plan.numerics.precision == PrecisionType::mixed_bf16) allowed = tolerance_of_halves;
  const at::Tensor all = at::stack({difference, size, outputs_.loss.to(at::kDouble).reshape({}),
                                    out.loss.detach().to(at::kDouble).reshape({})})
                             .cpu();
  const double* v = all.data_ptr<double>();
  const bool finite = std::isfinite(v[1]) && std::isfinite(v[3]);
  if (!finite) return;  // the guard reports it; compared in the next step
  const bool equal =
      alike && v[0] <= allowed * allowed * v[1] + 1e-24 && std::abs(v[2] - v[3]) <= allowed * std::abs(v[3]) + 1e-12;
  ++replays_compared_;
  if (equal) return;
  stop("a replayed step differs from the eager one: its loss is " + std::to_string(v[2]) + " instead of " +
       std::to_string(v[3]) + ", its gradients differ by " + std::to_string(std::sqrt(v[0] / std::max(v[1], 1e-300))) +
       " of their norm; training_step must depend on the batch and the parameters alone");
}

// The next replay overwrites the graph's own tensors, so copies of them are handed out.
void CapturedPass::hand_out(StepOutputs& out) {
  const at::NoGradGuard no_grad;
  out.clear();
  out.loss = outputs_.loss.clone();
  const at::Tensor recorded_loss = outputs_.loss;
  const auto copy = [&](const at::Tensor& t) {
    const bool is_loss = t.data_ptr() == recorded_loss.data_ptr() && t.sizes() == recorded_loss.sizes();
    return is_loss ? out.loss : t.clone();
  };
  for (const NamedTensor& t : outputs_.named) out.named.push_back({t.name, copy(t.tensor)});
  for (const at::Tensor& t : outputs_.hiddens) out.hiddens.push_back(t.clone());
  for (Logged& logged : logged_) {
    levin_log arguments = logged.arguments;
    at::Tensor value;
    arguments.name = logged.name.c_str();
    if (arguments.reduce_fx) arguments.reduce_fx = logged.reduction.c_str();
    if (logged.tensor.defined()) arguments.tensor = borrow(value = copy(logged.tensor));
    parts_.log.log(logged.origin, arguments, logged.ranks);
  }
}

bool CapturedPass::run(const TrainingPass& pass, Optimizer& optimizer, StepOutputs& out,
                       const std::function<void()>& eager) {
  const levin_step_in& in = pass.in;
  if (!std::exchange(begun_, true)) {
    const std::string unable = why_no_device_graph(parts_.strategy.device());
    if (!unable.empty())
      throw Error(ErrorCode::capture_not_possible, "trainer.capture=on: " + unable + ", or --trainer.capture off");
    const std::string why = why_not(pass, optimizer);
    if (!why.empty()) stop(why);
  }
  const bool simple = pass.window.starts && pass.window.ends && in.n_batches <= 1;
  if (off_ || !simple) return eager(), false;
  if (!same_model()) forget();
  if (!graph_ && eager_steps_ < warm_up_steps) return ++eager_steps_, eager(), false;
  if (graph_ && !takes(in)) return eager(), false;
  if (!graph_) {
    out.clear();
    try {
      record(in, optimizer);
    } catch (const std::exception& e) {
      stop(brief_of(e));
      for_each_param(optimizer, [](const at::Tensor& p) { p.mutable_grad().reset(); });
      return eager(), false;
    }
  }
  if (replays_compared_ < compared_replays) return compare(in, out, eager), false;
  replay(in);
  for (auto& [param, gradient] : gradients_) param.mutable_grad() = gradient;
  hand_out(out);
  return true;
}

}  // namespace levin::core
