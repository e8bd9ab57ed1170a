#include <ATen/core/Tensor.h>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Steps by the sign of a momentum (Chen et al. 2023, arXiv 2302.06675).
class Lion final : public PointwiseOptimizer {
 public:
  Lion(const OptimSpec& spec, const nlohmann::json& options) : PointwiseOptimizer(spec, options, {{"exp_avg"}}) {}

 private:
  enum Option { lr, beta1, beta2, weight_decay };  // in the order of the optimizer table

  StepFactors step_factors(const double* o, State&, bool) const override {
    StepFactors factors;
    factors.step_size = o[lr];
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    lion_kernel({o[beta1], o[beta2], 0, 0, 1 - o[lr] * o[weight_decay], false, false}, slice, begin, end);
  }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    t.param.mul_(1 - o[lr] * o[weight_decay]);
    t.param.add_(t.state[0].mul(o[beta1]).add_(t.grad, 1 - o[beta1]).sign_(), -o[lr]);
    t.state[0].mul_(o[beta2]).add_(t.grad, 1 - o[beta2]);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_lion(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Lion>(spec, options);
}

}  // namespace levin::core
