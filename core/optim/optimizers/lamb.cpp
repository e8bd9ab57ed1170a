#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/optim/optimizers/parallel_ranges.hpp"
#include "core/optim/optimizers/pointwise_optimizer.hpp"

namespace levin::core {
namespace {

// Adam whose step of each tensor has the norm of the tensor, times the learning rate (You et al. 2020, arXiv
// 1904.00962, algorithm 2).
class Lamb final : public PointwiseOptimizer {
 public:
  Lamb(const OptimSpec& spec, const nlohmann::json& options)
      : PointwiseOptimizer(spec, options, {{"exp_avg"}, {"exp_avg_sq"}}) {}

 private:
  enum Option { lr, beta1, beta2, eps, weight_decay };  // in the order of the optimizer table
  enum Slot { mean, square };                           // indices of the state tensors

  StepFactors step_factors(const double* o, State& state, bool) const override {
    const double n = static_cast<double>(state.steps);
    StepFactors factors;
    factors.step_size = 1 / (1 - std::pow(o[beta1], n));
    factors.correction = 1 / std::sqrt(1 - std::pow(o[beta2], n));
    return factors;
  }

  static LambArgs args_of(const double* o) { return {o[beta1], o[beta2], o[eps], o[weight_decay]}; }

  // Two passes over memory: the first gives the state and the norms.
  void run_queue(const double* o) override {
    for (TensorSlice& slice : queue()) {
      const LambSquares sum = update_state(args_of(o), slice);
      const bool is_zero = sum.param == 0 || sum.step == 0;
      slice.factors.ratio = o[lr] * (is_zero ? 1 : std::sqrt(sum.param / sum.step));
    }
    PointwiseOptimizer::run_queue(o);
  }

  // Sums block by block, so that the result does not depend on the number of threads.
  LambSquares update_state(const LambArgs& args, const TensorSlice& slice) {
    sums_.assign(static_cast<size_t>((slice.elements + range_grain - 1) / range_grain), {});
    parallel_ranges(slice.elements, [&](int64_t begin, int64_t end) {
      for (; begin < end; begin += range_grain)
        sums_[static_cast<size_t>(begin / range_grain)] =
            lamb_state_kernel(args, slice, begin, std::min(end, begin + range_grain));
    });
    LambSquares sum;
    for (const LambSquares& s : sums_) sum = {sum.param + s.param, sum.step + s.step};
    return sum;
  }

  void kernel(const double* o, const TensorSlice& slice, int64_t begin, int64_t end) const override {
    lamb_kernel(args_of(o), slice, begin, end);
  }

  // Where a norm is 0, the step is Adam's, as in the authors' code.
  void update(const double* o, const StepFactors& factors, Tensors& t) const override {
    t.state[mean].mul_(o[beta1]).add_(t.grad, 1 - o[beta1]);
    t.state[square].mul_(o[beta2]).addcmul_(t.grad, t.grad, 1 - o[beta2]);
    at::Tensor step = t.state[square].sqrt().mul_(factors.correction).add_(o[eps]);
    step = t.state[mean].mul(factors.step_size).div_(step);
    if (o[weight_decay] != 0) step.add_(t.param, o[weight_decay]);
    const at::Tensor weight_norm = t.param.norm(), step_norm = step.norm();
    const at::Tensor ratio = weight_norm.div(step_norm);
    const at::Tensor is_zero = weight_norm.eq(0).logical_or(step_norm.eq(0));
    t.param.sub_(step.mul_(ratio.masked_fill(is_zero, 1)), o[lr]);
  }

  std::vector<LambSquares> sums_;  // of the tensor being updated, by block
};

}  // namespace

std::unique_ptr<Optimizer> make_lamb(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Lamb>(spec, options);
}

}  // namespace levin::core
