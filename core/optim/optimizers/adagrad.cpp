#include <ATen/core/Tensor.h>

#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Adagrad final : public PointwiseOptimizer {
 public:
  Adagrad(const OptimSpec& spec, const nlohmann::json& options) : PointwiseOptimizer(spec, options, {{"sum"}}) {}

 private:
  enum Option { lr, lr_decay, weight_decay, initial, eps, maximize };  // in the order of the optimizer table

  double initial_state(const double* o, size_t) const override { return o[initial]; }

  StepFactors step_factors(const double* o, State& state, bool) const override {
    StepFactors factors;
    factors.step_size = o[lr] / (1 + static_cast<double>(state.steps - 1) * o[lr_decay]);
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    adagrad_kernel({o[weight_decay], o[eps], o[maximize] != 0}, slice, begin, end);
  }

  // Elements without a gradient do not move, so a sparse gradient may be treated as a dense one.
  bool takes_sparse() const override { return true; }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    at::Tensor d = t.grad.is_sparse() ? t.grad.to_dense() : t.grad;
    if (o[maximize] != 0) d = d.neg();
    if (o[weight_decay] != 0) d = d.add(t.param, o[weight_decay]);
    t.state[0].addcmul_(d, d, 1);
    t.param.addcdiv_(d, t.state[0].sqrt().add_(o[eps]), -factors.step_size);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_adagrad(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adagrad>(spec, options);
}

}  // namespace levin::core
