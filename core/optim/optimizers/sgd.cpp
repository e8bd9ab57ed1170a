#include "core/optim/optimizers/sgd.hpp"

#include <ATen/core/Tensor.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/config/option_values.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Sgd final : public PointwiseOptimizer {
 public:
  Sgd(const OptimizerSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {"momentum_buffer"}) {}

 private:
  enum Option { kLr, kMomentum, kDampening, kWeightDecay, kNesterov, kMaximize };  // the order of the spec

  void check(const double* o) const override {
    if (o[kNesterov] != 0 && (o[kMomentum] <= 0 || o[kDampening] != 0)) {
      throw Error(ErrorKind::usage, "optimizer 'sgd': nesterov needs a momentum above 0 and a dampening of 0");
    }
  }

  unsigned needed_slots(const double* o) const override { return o[kMomentum] != 0 ? 1 : 0; }

  // The first gradient becomes the buffer undamped.
  void prepare(const double* o, int64_t, bool fresh, TensorSlice& slice) const override {
    slice.a = fresh ? 0 : o[kMomentum];
    slice.b = fresh ? 1 : 1 - o[kDampening];
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const SgdArgs args{o[kLr], o[kWeightDecay], o[kMomentum], o[kNesterov] != 0, o[kMaximize] != 0};
    sgd_kernel(args, slice, begin, end);
  }

  bool takes_sparse() const override { return true; }

  void update(const double* o, const TensorSlice& slice, Tensors& t) const override {
    at::Tensor d = o[kMaximize] != 0 ? t.grad.neg() : t.grad;
    if (o[kWeightDecay] != 0) d = (d.is_sparse() ? d.to_dense() : d).add(t.param, o[kWeightDecay]);
    if (o[kMomentum] != 0) {
      t.state[0].mul_(slice.a).add_(d, slice.b);
      d = o[kNesterov] != 0 ? (d.is_sparse() ? d.to_dense() : d).add(t.state[0], o[kMomentum]) : t.state[0];
    }
    t.param.add_(d, -o[kLr]);
  }
};

}  // namespace

OptimizerSpec sgd_spec() {
  return {"sgd",
          "SGD",
          "stochastic gradient descent",
          {float_option("lr", 1e-3, 0, "learning rate"),
           float_option("momentum", 0.0, 0, "share of the last update that is kept"),
           float_option("dampening", 0.0, -HUGE_VAL, "share of the gradient that does not join the momentum"),
           float_option("weight_decay", 0.0, 0, "L2 penalty"),
           bool_option("nesterov", false, "look ahead along the momentum"),
           bool_option("maximize", false, "climb instead of descending")}};
}

std::unique_ptr<Optimizer> make_sgd(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Sgd>(spec, options);
}

}  // namespace levin::core
