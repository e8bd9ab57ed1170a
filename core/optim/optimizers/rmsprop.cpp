#include <ATen/core/Tensor.h>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Rmsprop final : public PointwiseOptimizer {
 public:
  Rmsprop(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"square_avg"}, {"momentum_buffer"}, {"grad_avg"}}) {}

 private:
  enum Option { lr, alpha, eps, weight_decay, momentum, centered, maximize };  // in the order of the optimizer table
  enum Slot { square, buffer, mean };                                          // indices of the state tensors

  unsigned needed_slots(const double* o) const override {
    return 1u | (o[momentum] > 0 ? 2u : 0u) | (o[centered] != 0 ? 4u : 0u);
  }

  StepFactors step_factors(const double*, State&, bool) const override { return {}; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const RmspropArgs args{o[lr], o[alpha], o[eps], o[weight_decay], o[momentum], o[centered] != 0, o[maximize] != 0};
    rmsprop_kernel(args, slice, begin, end);
  }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, o[weight_decay]);
    t.state[square].mul_(o[alpha]).addcmul_(d, d, 1 - o[alpha]);
    at::Tensor variance = t.state[square];
    if (o[centered] != 0) {
      t.state[mean].mul_(o[alpha]).add_(d, 1 - o[alpha]);
      variance = variance.addcmul(t.state[mean], t.state[mean], -1);
    }
    const at::Tensor denominator = variance.sqrt().add_(o[eps]);
    if (o[momentum] > 0) {
      t.state[buffer].mul_(o[momentum]).addcdiv_(d, denominator);
      t.param.add_(t.state[buffer], -o[lr]);
      return;
    }
    t.param.addcdiv_(d, denominator, -o[lr]);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_rmsprop(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Rmsprop>(spec, options);
}

}  // namespace levin::core
