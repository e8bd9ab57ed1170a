#include "core/optim/optimizers/rmsprop.hpp"

#include <ATen/core/Tensor.h>

#include "core/config/option_values.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

enum Slot { kSquare, kBuffer, kMean };

class Rmsprop final : public PointwiseOptimizer {
 public:
  Rmsprop(const OptimizerSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {"square_avg", "momentum_buffer", "grad_avg"}) {}

 private:
  enum Option { kLr, kAlpha, kEps, kWeightDecay, kMomentum, kCentered, kMaximize };  // the order of the spec

  unsigned needed_slots(const double* o) const override {
    return 1u | (o[kMomentum] > 0 ? 2u : 0u) | (o[kCentered] != 0 ? 4u : 0u);
  }

  void prepare(const double*, int64_t, bool, TensorSlice&) const override {}

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const RmspropArgs args{o[kLr],       o[kAlpha],         o[kEps],          o[kWeightDecay],
                           o[kMomentum], o[kCentered] != 0, o[kMaximize] != 0};
    rmsprop_kernel(args, slice, begin, end);
  }

  void update(const double* o, const TensorSlice&, Tensors& t) const override {
    at::Tensor d = o[kMaximize] != 0 ? t.grad.neg() : t.grad;
    if (o[kWeightDecay] != 0) d = d.add(t.param, o[kWeightDecay]);
    t.state[kSquare].mul_(o[kAlpha]).addcmul_(d, d, 1 - o[kAlpha]);
    at::Tensor variance = t.state[kSquare];
    if (o[kCentered] != 0) {
      t.state[kMean].mul_(o[kAlpha]).add_(d, 1 - o[kAlpha]);
      variance = variance.addcmul(t.state[kMean], t.state[kMean], -1);
    }
    const at::Tensor denominator = variance.sqrt().add_(o[kEps]);
    if (o[kMomentum] > 0) {
      t.state[kBuffer].mul_(o[kMomentum]).addcdiv_(d, denominator);
      t.param.add_(t.state[kBuffer], -o[kLr]);
      return;
    }
    t.param.addcdiv_(d, denominator, -o[kLr]);
  }
};

}  // namespace

OptimizerSpec rmsprop_spec() {
  return {"rmsprop",
          "RMSprop",
          "gradients divided by their recent size",
          {float_option("lr", 1e-2, 0, "learning rate"), float_option("alpha", 0.99, 0, "decay of the mean square"),
           float_option("eps", 1e-8, 0, "added to the denominator"), float_option("weight_decay", 0.0, 0, "L2 penalty"),
           float_option("momentum", 0.0, 0, "share of the last update that is kept"),
           bool_option("centered", false, "divide by the deviation from the mean gradient"),
           bool_option("maximize", false, "climb instead of descending")}};
}

std::unique_ptr<Optimizer> make_rmsprop(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Rmsprop>(spec, options);
}

}  // namespace levin::core
