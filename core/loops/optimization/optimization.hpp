// Common code of automatic and manual optimization: training_step, backward, clipping and the optimizer step. Also
// implements levin.optim/1.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/components/model.hpp"
#include "core/config/trainer/run_plan.hpp"
#include "core/hooks/dispatcher.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/loops/optimization/accumulation.hpp"
#include "core/loops/optimization/non_finite_guard.hpp"
#include "core/optim/gradient_clipper.hpp"
#include "core/optim/optimizer_set.hpp"
#include "core/precision/precision.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// References to the parts that a training step uses. All of them must outlive the optimization.
struct OptimizationParts {
  const RunPlan& plan;
  Model& model;
  Dispatcher& hooks;
  OptimizerSet& optimizers;
  Precision& precision;
  Strategy& strategy;
  LoggerConnector& log;
  RunProgress& progress;
  Warn warn = [](const std::string&) {};
};

// One call of training_step: for one optimizer, on a batch or on one of its truncated-BPTT splits.
struct TrainingPass {
  const levin_step_in& in;
  uint32_t optimizer;  // the optimizer that takes the batch
  AccumulationWindow window;
};

class Optimization {
 public:
  explicit Optimization(OptimizationParts parts)
      : parts_(std::move(parts)), guard_(parts_.plan, parts_.model, parts_.progress, parts_.warn) {}
  virtual ~Optimization() = default;
  Optimization(const Optimization&) = delete;
  Optimization& operator=(const Optimization&) = delete;

  // out: receives what training_step returned.
  void run(const TrainingPass& pass, StepOutputs& out);

  // The calls of levin.optim/1. All throw Error{usage} for an optimizer that does not exist. manual_backward() fires
  // the hooks and scales the loss, except inside the model's own `backward`, whose loss is already scaled.
  virtual void manual_backward(const at::Tensor& loss, bool retain_graph);
  // closure: computes the gradients again; nullptr = use the existing gradients.
  virtual void manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx);
  void zero_grad(uint32_t optimizer);
  virtual void clip(uint32_t optimizer, double value, const std::string& algorithm) {
    clip_gradients(optimizer, value, algorithm);
  }

  // Steps an optimizer that takes a closure, unless the first evaluation finds a loss or gradient that is not finite.
  // The step is undone if it results in parameters that are not finite.
  void guarded_step(Optimizer& optimizer, const Optimizer::Closure& closure);

  NonFiniteGuard& guard() { return guard_; }
  // Increases the learning rates, which were multiplied by `scale`, gradually in the first `steps` steps; see
  // lr_scaling.hpp.
  void warm_up(double scale, int64_t steps) { warm_up_ = {scale, steps}; }
  // Multiplies the learning rates of all optimizers during the steps from now on. Schedules, checkpoints and logged
  // values keep the rates without it.
  void set_lr_factor(double factor) { lr_factor_ = factor; }

 protected:
  virtual void run_pass(const TrainingPass& pass, StepOutputs& out) = 0;
  void training_step(const levin_step_in& in, StepOutputs& out);
  void backward(const at::Tensor& loss, bool retain_graph);
  // Reduces the gradients over the processes of the run, unless that was done since the last backward.
  void reduce_gradients(uint32_t optimizer);
  // Reduces, unscales and clips the gradients, then steps the optimizer.
  void step(uint32_t optimizer, const Optimizer::Closure& closure);
  // Called before each step. Returns true if the gradients are known to be finite.
  virtual bool clip_by_options(uint32_t) { return false; }
  bool clip_gradients(uint32_t optimizer, double value, const std::string& algorithm);  // returns the same
  // Returns nullptr for index 0 in a run without optimizers, so that all hooks of a step still fire.
  Optimizer* find(uint32_t optimizer) const;
  levin_optim_call call(uint32_t optimizer) const;

  OptimizationParts parts_;
  NonFiniteGuard guard_;
  // The running pass, to which calls of levin.optim/1 belong. nullptr = a hook between two passes calls them.
  const TrainingPass* pass_ = nullptr;

 private:
  // What is known about the gradients of the next step.
  struct GradientFacts {
    bool overflowed = false;  // the loss scale overflowed: the step is skipped
    bool finite = false;      // false = unknown
  };
  GradientFacts prepare_step(uint32_t optimizer);
  bool unscale_gradients(uint32_t optimizer);
  void step_by_closure(Optimizer& optimizer, uint32_t index, const Optimizer::Closure& closure);
  void log_grad_norms();
  const std::vector<at::Tensor>& gradients(uint32_t optimizer);

  GradientClipper clipper_;
  std::vector<at::Tensor> gradients_;
  struct WarmUp {
    double scale = 1;
    int64_t steps = 0;
  };
  WarmUp warm_up_;
  double lr_factor_ = 1;
  at::Tensor* closure_loss_ = nullptr;  // loss of the closure's last backward, because closures of the ABI return none
  bool in_backward_override_ = false;
};

// Returns automatic or manual optimization, as the model declares.
std::unique_ptr<Optimization> make_optimization(const OptimizationParts& parts);
std::unique_ptr<Optimization> make_automatic_optimization(const OptimizationParts& parts);
std::unique_ptr<Optimization> make_manual_optimization(const OptimizationParts& parts);

}  // namespace levin::core
