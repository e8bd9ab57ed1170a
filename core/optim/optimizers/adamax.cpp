#include <ATen/core/Tensor.h>
#include <ATen/ops/maximum.h>

#include <cmath>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Adam with the maximum norm (Kingma and Ba 2015, arXiv 1412.6980).
class Adamax final : public PointwiseOptimizer {
 public:
  Adamax(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_inf"}}) {}

 private:
  enum Option { lr, beta1, beta2, eps, weight_decay, maximize };  // in the order of the optimizer table
  enum Slot { mean, largest };                                    // indices of the state tensors

  StepFactors step_factors(const double* o, State& state, bool) const override {
    StepFactors factors;
    factors.step_size = o[lr] / (1 - std::pow(o[beta1], static_cast<double>(state.steps)));
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    adamax_kernel({o[beta1], o[beta2], o[eps], o[weight_decay], 1, false, o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, o[weight_decay]);
    t.state[mean].mul_(o[beta1]).add_(d, 1 - o[beta1]);
    t.state[largest].copy_(at::maximum(t.state[largest].mul_(o[beta2]), d.abs().add_(o[eps])));
    t.param.addcdiv_(t.state[mean], t.state[largest], -factors.step_size);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_adamax(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adamax>(spec, options);
}

}  // namespace levin::core
