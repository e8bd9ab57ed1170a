#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Averaged stochastic gradient descent (Polyak and Juditsky 1992). The average is a state; the parameters are not
// averaged.
class Asgd final : public PointwiseOptimizer {
 public:
  Asgd(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"ax"}, {"eta", StateSlot::Size::scalar}, {"mu", StateSlot::Size::scalar}}) {
  }

 private:
  enum Option { lr, lambd, alpha, t0, weight_decay, maximize };  // in the order of the optimizer table
  enum Slot { average, eta, mu };                                // indices of the state tensors

  double initial_state(const double* o, size_t slot) const override {
    const double values[] = {0, o[lr], 1};
    return values[slot];
  }

  // A step computes the learning rate and the weight of the next one; they are floats, as in Python.
  StepFactors step_factors(const double* o, State& state, bool) const override {
    StepFactors factors;
    factors.step_size = state.scalar(eta);
    factors.average = state.scalar(mu);
    factors.decay = 1 - o[lambd] * factors.step_size;
    const double n = static_cast<double>(state.steps);
    state.scalar(eta) = static_cast<float>(o[lr] / std::pow(1 + o[lambd] * o[lr] * n, o[alpha]));
    state.scalar(mu) = static_cast<float>(1 / std::max(1.0, n - o[t0]));
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    asgd_kernel({o[weight_decay], o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, o[weight_decay]);
    t.param.mul_(factors.decay).add_(d, -factors.step_size);
    if (factors.average == 1) {
      t.state[average].copy_(t.param);
    } else {
      t.state[average].add_(t.param.sub(t.state[average]), factors.average);
    }
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_asgd(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Asgd>(spec, options);
}

}  // namespace levin::core
