#include <ATen/core/Tensor.h>

#include <cmath>

#include "core/optim/optimizers/tensorwise_optimizer.hpp"

namespace levin::core {
namespace {

// Adam whose step of each tensor has the norm of the tensor, times the learning rate (You et al. 2020, arXiv
// 1904.00962, algorithm 2).
class Lamb final : public TensorwiseOptimizer {
 public:
  Lamb(const OptimSpec& spec, const nlohmann::json& options)
      : TensorwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_avg_sq"}}) {}

 private:
  enum Option { lr, beta1, beta2, eps, weight_decay };  // in the order of the optimizer table
  enum Slot { mean, square };                           // indices of the state tensors

  StepFactors step_factors(const double* o, State& state, bool) const override {
    const double n = static_cast<double>(state.steps);
    StepFactors factors;
    factors.step_size = 1 / (1 - std::pow(o[beta1], n));
    factors.correction = 1 / std::sqrt(1 - std::pow(o[beta2], n));
    return factors;
  }

  // Where a norm is 0, the step is Adam's, as in the authors' code.
  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    t.state[mean].mul_(o[beta1]).add_(t.grad, 1 - o[beta1]);
    t.state[square].mul_(o[beta2]).addcmul_(t.grad, t.grad, 1 - o[beta2]);
    at::Tensor step = t.state[square].sqrt().mul_(factors.correction).add_(o[eps]);
    step = t.state[mean].mul(factors.step_size).div_(step);
    if (o[weight_decay] != 0) step.add_(t.param, o[weight_decay]);
    const at::Tensor weight_norm = t.param.norm(), step_norm = step.norm();
    const at::Tensor ratio = weight_norm.div(step_norm);
    const at::Tensor is_zero = weight_norm.eq(0).logical_or(step_norm.eq(0));
    t.param.sub_(step.mul_(ratio.masked_fill(is_zero, 1)), o[lr]);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_lamb(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Lamb>(spec, options);
}

}  // namespace levin::core
