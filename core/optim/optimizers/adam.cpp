#include <ATen/core/Tensor.h>
#include <ATen/ops/maximum.h>

#include <cmath>

#include "core/abi/torch_compat.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// decoupled: decoupled weight decay, as in AdamW.
template <bool decoupled>
class Adam final : public PointwiseOptimizer {
 public:
  Adam(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_avg_sq"}, {"max_exp_avg_sq"}}) {}

 private:
  enum Option { lr, beta1, beta2, eps, weight_decay, amsgrad, maximize };  // in the order of the optimizer table
  enum Slot { mean, square, max_square };                                  // indices of the state tensors

  unsigned needed_slots(const double* o) const override { return o[amsgrad] != 0 ? 7 : 3; }

  StepFactors step_factors(const double* o, State& state, bool) const override {
    const double n = static_cast<double>(state.steps);
    if (n != known_.steps || o[beta1] != known_.beta1 || o[beta2] != known_.beta2)
      known_ = {n, o[beta1], o[beta2], 1 - std::pow(o[beta1], n), 1 / std::sqrt(1 - std::pow(o[beta2], n))};
    StepFactors factors;
    factors.step_size = o[lr] / known_.first;
    factors.correction = known_.second;
    return factors;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const double decay = decoupled ? 1 - o[lr] * o[weight_decay] : 1;
    const AdamArgs args{o[beta1], o[beta2],        o[eps],          decoupled ? 0 : o[weight_decay],
                        decay,    o[amsgrad] != 0, o[maximize] != 0};
    adam_kernel(args, slice, begin, end);
  }

  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    const at::Tensor d = gradient_of(t, o[maximize] != 0, decoupled ? 0 : o[weight_decay]);
    if (decoupled) t.param.mul_(1 - o[lr] * o[weight_decay]);
    t.state[mean].mul_(o[beta1]).add_(d, 1 - o[beta1]);
    t.state[square].mul_(o[beta2]).addcmul_(d, d, 1 - o[beta2]);
    if (o[amsgrad] != 0) at::maximum_out(t.state[max_square], t.state[max_square], t.state[square]);
    const at::Tensor& second = t.state[o[amsgrad] != 0 ? max_square : square];
    t.param.addcdiv_(t.state[mean], second.sqrt().mul_(factors.correction).add_(o[eps]), -factors.step_size);
  }

  bool fuses(const double*) const override { return true; }
  void update_fused(const double* o, const FusedTensors& t, const at::Tensor& skip) const override {
    fused_adam({t.params, t.grads, t.state[mean], t.state[square], t.state[max_square], t.steps, o[lr], o[beta1],
                o[beta2], o[weight_decay], o[eps], o[amsgrad] != 0, o[maximize] != 0, decoupled},
               skip);
  }

  // Caches the bias corrections, because powers are slow and a model's tensors usually have the same step count.
  struct Corrections {
    double steps = 0, beta1 = 0, beta2 = 0, first = 0, second = 0;
  };
  mutable Corrections known_;
};

}  // namespace

std::unique_ptr<Optimizer> make_adam(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adam<false>>(spec, options);
}

std::unique_ptr<Optimizer> make_adamw(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adam<true>>(spec, options);
}

}  // namespace levin::core
