#include <ATen/core/Tensor.h>

#include <cmath>

#include "core/abi/torch_compat.hpp"
#include "core/base/error.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Sgd final : public PointwiseOptimizer {
 public:
  Sgd(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"momentum_buffer"}}) {}

 private:
  enum Option { lr, momentum, dampening, weight_decay, nesterov, maximize };  // in the order of the optimizer table

  void check_options(const double* o) const override {
    if (o[nesterov] != 0 && (o[momentum] <= 0 || o[dampening] != 0))
      throw Error(ErrorCode::optimizer_misconfigured,
                  "optimizer 'sgd': nesterov needs a momentum above 0 and a dampening of 0");
  }

  unsigned needed_slots(const double* o) const override { return o[momentum] != 0 ? 1 : 0; }

  // The first gradient becomes the buffer, without dampening.
  StepFactors step_factors(const double* o, State&, bool fresh) const override {
    StepFactors factors;
    factors.buffer = fresh ? 0 : o[momentum];
    factors.grad = fresh ? 1 : 1 - o[dampening];
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const SgdArgs args{o[lr], o[weight_decay], o[momentum], o[nesterov] != 0, o[maximize] != 0};
    sgd_kernel(args, slice, begin, end);
  }

  bool takes_sparse() const override { return true; }

  bool fuses(const double*) const override { return true; }
  void update_fused(const double* o, const FusedTensors& t, const at::Tensor& skip) const override {
    fused_sgd({t.params, t.grads, t.state[0], o[weight_decay], o[momentum], o[lr], o[dampening], o[nesterov] != 0,
               o[maximize] != 0, t.fresh},
              skip);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    at::Tensor d = gradient_of(t, o[maximize] != 0, o[weight_decay]);
    if (o[momentum] != 0) {
      t.state[0].mul_(factors.buffer).add_(d, factors.grad);
      d = o[nesterov] != 0 ? (d.is_sparse() ? d.to_dense() : d).add(t.state[0], o[momentum]) : t.state[0];
    }
    t.param.add_(d, -o[lr]);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Sgd>(spec, options);
}

}  // namespace levin::core
