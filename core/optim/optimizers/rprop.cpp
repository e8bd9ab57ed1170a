#include <ATen/core/Tensor.h>
#include <ATen/ops/ones_like.h>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Riedmiller and Braun 1993: each element has a step size of its own, which grows while its gradient keeps its sign.
class Rprop final : public PointwiseOptimizer {
 public:
  Rprop(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"prev"}, {"step_size"}}) {}

 private:
  // In the order of the optimizer table.
  enum Option { lr, eta_minus, eta_plus, step_min, step_max, maximize };
  enum Slot { before, size };  // indices of the state tensors

  double initial_state(const double* o, size_t slot) const override { return slot == size ? o[lr] : 0; }
  StepFactors step_factors(const double*, State&, bool) const override { return {}; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    rprop_kernel({o[eta_minus], o[eta_plus], o[step_min], o[step_max], o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, 0);
    const at::Tensor agreement = d.mul(t.state[before]), turned = agreement.lt(0);
    const at::Tensor factor = at::ones_like(d).masked_fill_(agreement.gt(0), o[eta_plus]);
    t.state[size].mul_(factor.masked_fill_(turned, o[eta_minus])).clamp_(o[step_min], o[step_max]);
    t.state[before].copy_(d.masked_fill(turned, 0));
    t.param.addcmul_(t.state[before].sign(), t.state[size], -1);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_rprop(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Rprop>(spec, options);
}

}  // namespace levin::core
