#include "core/optim/optimizers/rmsprop.hpp"

#include <ATen/core/Tensor.h>

#include "core/config/option_values.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Rmsprop final : public PointwiseOptimizer {
 public:
  Rmsprop(const OptimizerSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {"square_avg", "momentum_buffer", "grad_avg"}) {}

 private:
  enum Option { lr, alpha, eps, weight_decay, momentum, centered, maximize };  // in the order of the spec
  enum Slot { square, buffer, mean };                                          // indices of the state tensors

  unsigned needed_slots(const double* o) const override {
    return 1u | (o[momentum] > 0 ? 2u : 0u) | (o[centered] != 0 ? 4u : 0u);
  }

  StepFactors step_factors(const double*, int64_t, bool) const override { return {}; }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const RmspropArgs args{o[lr], o[alpha], o[eps], o[weight_decay], o[momentum], o[centered] != 0, o[maximize] != 0};
    rmsprop_kernel(args, slice, begin, end);
  }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    at::Tensor d = o[maximize] != 0 ? t.grad.neg() : t.grad;
    if (o[weight_decay] != 0) d = d.add(t.param, o[weight_decay]);
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

OptimizerSpec rmsprop_spec() {
  return {make_builtin<Rmsprop>,
          "rmsprop",
          "RMSprop",
          {float_option("lr", 1e-2, 0, "learning rate"), float_option("alpha", 0.99, 0, "decay of the mean square"),
           float_option("eps", 1e-8, 0, "added to the denominator"), float_option("weight_decay", 0.0, 0, "L2 penalty"),
           float_option("momentum", 0.0, 0, "share of the last update that is kept"),
           bool_option("centered", false, "divide by the deviation from the mean gradient"),
           bool_option("maximize", false, "climb instead of descending")}};
}

}  // namespace levin::core
