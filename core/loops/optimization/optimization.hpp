// What automatic and manual optimization have in common: training_step, backward, clipping and the optimizer's step.
// levin.optim/1 leads here.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// References to what a training step works with; all of it outlives the optimization.
struct OptimizationParts {
  const RunPlan& plan;
  Model& model;
  Dispatcher& hooks;
  OptimizerSet& optimizers;
  Precision& precision;
  Strategy& strategy;
  LoggerConnector& log;
  RunProgress& progress;
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// One call of training_step: for one optimizer, on a batch or on one of its splits in time.
struct TrainingPass {
  const levin_step_in& in;
  uint32_t optimizer;  // whose turn it is
  AccumulationWindow window;
};

class Optimization {
 public:
  explicit Optimization(OptimizationParts parts)
      : parts_(std::move(parts)), guard_(parts_.plan, parts_.model, parts_.progress, parts_.warn) {}
  virtual ~Optimization() = default;
  Optimization(const Optimization&) = delete;
  Optimization& operator=(const Optimization&) = delete;

  // out: what training_step returned.
  void run(const TrainingPass& pass, StepOutputs& out);

  // The calls of levin.optim/1. All throw Error{usage} for an optimizer that does not exist. manual_backward() fires
  // the hooks and scales the loss, except inside the model's own `backward`, whose loss is already scaled.
  virtual void manual_backward(const at::Tensor& loss, bool retain_graph);
  // The closure computes the gradients anew; nullptr where they are there.
  virtual void manual_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx);
  void zero_grad(uint32_t optimizer);
  virtual void clip(uint32_t optimizer, double value, const std::string& algorithm) {
    clip_gradients(optimizer, value, algorithm);
  }

  NonFiniteGuard& guard() { return guard_; }
  // In the first steps of the fit rates grow to those that were scaled so much; see rate_warm_up.hpp.
  void warm_up(double scale, int64_t steps) { warm_up_ = {scale, steps}; }

 protected:
  virtual void run_pass(const TrainingPass& pass, StepOutputs& out) = 0;
  void training_step(const levin_step_in& in, StepOutputs& out);
  void backward(const at::Tensor& loss, bool retain_graph);
  // Over the processes of the run, unless they were since the last backward.
  void reduce_gradients(uint32_t optimizer);
  // Reduces, unscales and clips the gradients, then steps the optimizer.
  void step(uint32_t optimizer, const Optimizer::Closure& closure);
  // Before each step. Returns true if the gradients are known to be finite.
  virtual bool clip_by_options(uint32_t) { return false; }
  bool clip_gradients(uint32_t optimizer, double value, const std::string& algorithm);  // the same
  // Returns nullptr for index 0 of a run without optimizers, so that all hooks of a step still fire.
  Optimizer* find(uint32_t optimizer) const;
  levin_optim_call call(uint32_t optimizer) const;

  OptimizationParts parts_;
  NonFiniteGuard guard_;
  // The pass that runs, to which calls of levin.optim/1 belong; nullptr: a hook between two passes makes them.
  const TrainingPass* pass_ = nullptr;

 private:
  // What is known of the gradients of the coming step.
  struct GradientFacts {
    bool overflowed = false;  // of the loss scale: the step is left out
    bool finite = false;      // false: they may be finite or not
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
  at::Tensor* closure_loss_ = nullptr;  // the loss of the closure's last backward, as a closure of the ABI returns none
  bool in_backward_override_ = false;
};

// Automatic or manual, as the model says.
std::unique_ptr<Optimization> make_optimization(const OptimizationParts& parts);

}  // namespace levin::core
