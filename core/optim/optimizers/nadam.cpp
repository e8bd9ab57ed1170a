#include <ATen/core/Tensor.h>

#include <cmath>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Adam with Nesterov momentum (Dozat 2016).
class Nadam final : public PointwiseOptimizer {
 public:
  Nadam(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_avg_sq"}, {"mu_product", StateSlot::Size::scalar}}) {}

 private:
  // In the order of the optimizer table.
  enum Option { lr, beta1, beta2, eps, weight_decay, momentum_decay, decoupled, maximize };
  enum Slot { mean, square, mu_product };  // indices of the state tensors

  double initial_state(const double*, size_t slot) const override { return slot == mu_product ? 1 : 0; }

  // The product is a float, as in Python.
  StepFactors step_factors(const double* o, State& state, bool) const override {
    const double n = static_cast<double>(state.steps);
    const double mu = momentum_of(o, n), next_mu = momentum_of(o, n + 1);
    float& product = state.scalar(mu_product);
    product *= static_cast<float>(mu);
    StepFactors factors;
    factors.step_size = o[lr] * next_mu / (1 - product * next_mu);
    factors.grad = o[lr] * (1 - mu) / (1 - static_cast<double>(product));
    factors.correction = 1 / std::sqrt(1 - std::pow(o[beta2], n));
    return factors;
  }
  static double momentum_of(const double* o, double step) {
    return o[beta1] * (1 - 0.5 * std::pow(0.96, step * o[momentum_decay]));
  }
  static double l2_of(const double* o) { return o[decoupled] != 0 ? 0 : o[weight_decay]; }
  static double decay_of(const double* o) { return o[decoupled] != 0 ? 1 - o[lr] * o[weight_decay] : 1; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    nadam_kernel({o[beta1], o[beta2], o[eps], l2_of(o), decay_of(o), false, o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, l2_of(o));
    if (o[decoupled] != 0) t.param.mul_(decay_of(o));
    t.state[mean].mul_(o[beta1]).add_(d, 1 - o[beta1]);
    t.state[square].mul_(o[beta2]).addcmul_(d, d, 1 - o[beta2]);
    const at::Tensor denominator = t.state[square].sqrt().mul_(factors.correction).add_(o[eps]);
    t.param.addcdiv_(d, denominator, -factors.grad).addcdiv_(t.state[mean], denominator, -factors.step_size);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_nadam(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Nadam>(spec, options);
}

}  // namespace levin::core
