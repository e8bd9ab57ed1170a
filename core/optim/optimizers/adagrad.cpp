#include "core/optim/optimizers/adagrad.hpp"

#include <ATen/core/Tensor.h>

#include "core/config/option_values.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

class Adagrad final : public PointwiseOptimizer {
 public:
  Adagrad(const OptimizerSpec& spec, const nlohmann::json& options) : PointwiseOptimizer(spec, options, {"sum"}) {}

 private:
  enum Option { kLr, kLrDecay, kWeightDecay, kInitial, kEps, kMaximize };  // the order of the spec

  unsigned needed_slots(const double*) const override { return 1; }
  double initial_state(const double* o) const override { return o[kInitial]; }

  void prepare(const double* o, int64_t steps, bool, TensorSlice& slice) const override {
    slice.a = o[kLr] / (1 + static_cast<double>(steps - 1) * o[kLrDecay]);
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    adagrad_kernel({o[kWeightDecay], o[kEps], o[kMaximize] != 0}, slice, begin, end);
  }

  // Elements without a gradient do not move, so a sparse gradient may be treated as a dense one.
  bool takes_sparse() const override { return true; }

  void update(const double* o, const TensorSlice& slice, Tensors& t) const override {
    at::Tensor d = t.grad.is_sparse() ? t.grad.to_dense() : t.grad;
    if (o[kMaximize] != 0) d = d.neg();
    if (o[kWeightDecay] != 0) d = d.add(t.param, o[kWeightDecay]);
    t.state[0].addcmul_(d, d, 1);
    t.param.addcdiv_(d, t.state[0].sqrt().add_(o[kEps]), -slice.a);
  }
};

}  // namespace

OptimizerSpec adagrad_spec() {
  return {"adagrad",
          "Adagrad",
          "steps shrink with the sum of the squared gradients",
          {float_option("lr", 1e-2, 0, "learning rate"),
           float_option("lr_decay", 0.0, 0, "decay of the learning rate from step to step"),
           float_option("weight_decay", 0.0, 0, "L2 penalty"),
           float_option("initial_accumulator_value", 0.0, 0, "what the sum of squares starts from"),
           float_option("eps", 1e-10, 0, "added to the denominator"),
           bool_option("maximize", false, "climb instead of descending")}};
}

std::unique_ptr<Optimizer> make_adagrad(const OptimizerSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Adagrad>(spec, options);
}

}  // namespace levin::core
