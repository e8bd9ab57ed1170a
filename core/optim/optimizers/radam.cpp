#include <ATen/core/Tensor.h>

#include <cmath>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Adam that uses the second moment only when its variance is known, and corrects it (Liu et al. 2020, arXiv
// 1908.03265).
class Radam final : public PointwiseOptimizer {
 public:
  Radam(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_avg_sq"}}) {}

 private:
  enum Option { lr, beta1, beta2, eps, weight_decay, decoupled, maximize };  // in the order of the optimizer table
  enum Slot { mean, square };                                                // indices of the state tensors

  StepFactors step_factors(const double* o, State& state, bool) const override {
    const double n = static_cast<double>(state.steps);
    const double first = 1 - std::pow(o[beta1], n), second = 1 - std::pow(o[beta2], n);
    const double longest = 2 / (1 - o[beta2]) - 1, length = longest - 2 * n * (1 - second) / second;
    StepFactors factors;
    factors.step_size = o[lr] / first;
    if (length > 5) {
      factors.correction = 1;
      factors.step_size *=
          std::sqrt(second * (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
    }
    return factors;
  }
  static double l2_of(const double* o) { return o[decoupled] != 0 ? 0 : o[weight_decay]; }
  static double decay_of(const double* o) { return o[decoupled] != 0 ? 1 - o[lr] * o[weight_decay] : 1; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    radam_kernel({o[beta1], o[beta2], o[eps], l2_of(o), decay_of(o), false, o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, l2_of(o));
    if (o[decoupled] != 0) t.param.mul_(decay_of(o));
    t.state[mean].mul_(o[beta1]).add_(d, 1 - o[beta1]);
    t.state[square].mul_(o[beta2]).addcmul_(d, d, 1 - o[beta2]);
    if (factors.correction == 0) {
      t.param.add_(t.state[mean], -factors.step_size);
    } else {
      t.param.addcdiv_(t.state[mean], t.state[square].sqrt().add_(o[eps]), -factors.step_size);
    }
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_radam(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Radam>(spec, options);
}

}  // namespace levin::core
