#include "core/optim/optimizers/adam.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/maximum.h>

#include <cmath>

#include "core/config/option_values.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

enum Slot { kMean, kSquare, kMaxSquare };

class Adam final : public PointwiseOptimizer {
 public:
  Adam(const OptimizerSpec& spec, const nlohmann::json& options, bool decoupled)
      : PointwiseOptimizer(spec, options, {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}), decoupled_(decoupled) {}

 private:
  enum Option { kLr, kBeta1, kBeta2, kEps, kWeightDecay, kAmsgrad, kMaximize };  // the order of the spec

  unsigned needed_slots(const double* o) const override { return o[kAmsgrad] != 0 ? 7 : 3; }

  void prepare(const double* o, int64_t steps, bool, TensorSlice& slice) const override {
    const double n = static_cast<double>(steps);
    if (n != known_.steps || o[kBeta1] != known_.beta1 || o[kBeta2] != known_.beta2) {
      known_ = {n, o[kBeta1], o[kBeta2], 1 - std::pow(o[kBeta1], n), 1 / std::sqrt(1 - std::pow(o[kBeta2], n))};
    }
    slice.a = o[kLr] / known_.first;
    slice.b = known_.second;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    const double decay = decoupled_ ? 1 - o[kLr] * o[kWeightDecay] : 1;
    const AdamArgs args{o[kBeta1], o[kBeta2],        o[kEps],          decoupled_ ? 0 : o[kWeightDecay],
                        decay,     o[kAmsgrad] != 0, o[kMaximize] != 0};
    adam_kernel(args, slice, begin, end);
  }

  void update(const double* o, const TensorSlice& slice, Tensors& t) const override {
    at::Tensor d = o[kMaximize] != 0 ? t.grad.neg() : t.grad;
    if (decoupled_) {
      t.param.mul_(1 - o[kLr] * o[kWeightDecay]);
    } else if (o[kWeightDecay] != 0) {
      d = d.add(t.param, o[kWeightDecay]);
    }
    t.state[kMean].mul_(o[kBeta1]).add_(d, 1 - o[kBeta1]);
    t.state[kSquare].mul_(o[kBeta2]).addcmul_(d, d, 1 - o[kBeta2]);
    if (o[kAmsgrad] != 0) at::maximum_out(t.state[kMaxSquare], t.state[kMaxSquare], t.state[kSquare]);
    const at::Tensor& second = t.state[o[kAmsgrad] != 0 ? kMaxSquare : kSquare];
    t.param.addcdiv_(t.state[kMean], second.sqrt().mul_(slice.b).add_(o[kEps]), -slice.a);
  }

  // Tensors of a model share their step count, and powers are slow.
  struct Correction {
    double steps = 0, beta1 = 0, beta2 = 0, first = 0, second = 0;
  };
  bool decoupled_;
  mutable Correction known_;
};

OptimizerSpec spec(const char* id, const char* class_name, const char* summary, double weight_decay) {
  return {id,
          class_name,
          summary,
          {float_option("lr", 1e-3, 0, "learning rate"), json_option("betas", {0.9, 0.999}, "decay of the two moments"),
           float_option("eps", 1e-8, 0, "added to the denominator"),
           float_option("weight_decay", weight_decay, 0, "pull of the parameters to zero"),
           bool_option("amsgrad", false, "divide by the largest second moment so far"),
           bool_option("maximize", false, "climb instead of descending")}};
}

}  // namespace

OptimizerSpec adam_spec() { return spec("adam", "Adam", "adaptive moments", 0); }
OptimizerSpec adamw_spec() { return spec("adamw", "AdamW", "adaptive moments, weight decay apart from them", 1e-2); }

std::unique_ptr<Optimizer> make_adam(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adam>(spec, options, false);
}

std::unique_ptr<Optimizer> make_adamw(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adam>(spec, options, true);
}

}  // namespace levin::core
