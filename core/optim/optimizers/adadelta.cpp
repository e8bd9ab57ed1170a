#include <ATen/core/Tensor.h>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Zeiler 2012, arXiv 1212.5701.
class Adadelta final : public PointwiseOptimizer {
 public:
  Adadelta(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"square_avg"}, {"acc_delta"}}) {}

 private:
  enum Option { lr, rho, eps, weight_decay, maximize };  // in the order of the optimizer table
  enum Slot { square, moved };                           // indices of the state tensors

  StepFactors step_factors(const double*, State&, bool) const override { return {}; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    adadelta_kernel({o[lr], o[rho], o[eps], o[weight_decay], o[maximize] != 0}, slice, begin, end);
  }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, o[weight_decay]);
    t.state[square].mul_(o[rho]).addcmul_(d, d, 1 - o[rho]);
    const at::Tensor deviation = t.state[square].add(o[eps]).sqrt_();
    const at::Tensor delta = t.state[moved].add(o[eps]).sqrt_().div_(deviation).mul_(d);
    t.state[moved].mul_(o[rho]).addcmul_(delta, delta, 1 - o[rho]);
    t.param.add_(delta, -o[lr]);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_adadelta(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adadelta>(spec, options);
}

}  // namespace levin::core
