#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/optim/optimizers/tensorwise_optimizer.hpp"

namespace levin::core {
namespace {

// Steps by the momentum's matrix with all singular values made nearly 1 (Jordan et al. 2024,
// kellerjordan.github.io/posts/muon).
class Muon final : public TensorwiseOptimizer {
 public:
  Muon(const OptimSpec& spec, const nlohmann::json& options)
      : TensorwiseOptimizer(spec, options, {{"momentum_buffer"}}) {}

 private:
  // In the order of the optimizer table.
  enum Option { lr, weight_decay, momentum, nesterov, ns_a, ns_b, ns_c, eps, ns_steps, adjust_lr_fn };
  // Indices of the choices of adjust_lr_fn; the first, and null, is "original".
  static constexpr double match_rms_adamw = 1, spectral_unclamped = 2;

  void on_group_added() override {
    const ParamGroup& group = groups().back();
    for (size_t i = 0; i < group.params.size(); ++i) {
      const at::Tensor& param = group.params[i];
      if (param.dim() == 2 && !param.is_complex()) continue;
      throw Error(ErrorCode::optimizer_misconfigured,
                  "optimizer 'muon': parameter '" + group.names[i] + "' has the shape " + c10::str(param.sizes()) +
                      (param.is_complex() ? " and complex elements" : "") +
                      ", and muon takes real matrices only; give the other parameters an optimizer "
                      "of their own, such as adamw");
    }
    TensorwiseOptimizer::on_group_added();
  }

  StepFactors step_factors(const double*, State&, bool) const override { return {}; }

  void update(const double* o, const StepFactors&, Tensors& t) const override {
    t.state[0].lerp_(t.grad, 1 - o[momentum]);
    const at::Tensor direction = o[nesterov] != 0 ? t.grad.lerp(t.state[0], o[momentum]) : t.state[0];
    t.param.mul_(1 - o[lr] * o[weight_decay]);
    t.param.add_(orthogonal(o, direction), -o[lr] * ratio(o, t.param.sizes()));
  }

  // Five steps of a Newton-Schulz iteration. Accelerators compute in bfloat16, as Python does; a CPU is slow in it.
  static at::Tensor orthogonal(const double* o, const at::Tensor& matrix) {
    const bool tall = matrix.size(0) > matrix.size(1);
    const bool exact = matrix.scalar_type() == at::kFloat || matrix.scalar_type() == at::kDouble;
    const at::ScalarType cpu_type = exact ? matrix.scalar_type() : at::kFloat;
    at::Tensor x = matrix.to(matrix.device().is_cpu() ? cpu_type : at::kBFloat16);
    if (tall) x = x.t();
    x = x.div(x.norm().clamp_min(o[eps]));
    for (int i = 0; i < static_cast<int>(o[ns_steps]); ++i) {
      const at::Tensor gram = x.mm(x.t());
      x = at::addmm(x, at::addmm(gram, gram, gram, o[ns_b], o[ns_c]), x, o[ns_a]);
    }
    return tall ? x.t() : x;
  }

  static double ratio(const double* o, at::IntArrayRef shape) {
    const double rows = static_cast<double>(shape[0]), columns = static_cast<double>(shape[1]);
    if (o[adjust_lr_fn] == match_rms_adamw) return 0.2 * std::sqrt(std::max(rows, columns));
    if (o[adjust_lr_fn] == spectral_unclamped) return std::sqrt(rows / columns);
    return std::sqrt(std::max(1.0, rows / columns));
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_muon(const OptimSpec& spec, const nlohmann::json& options) {
  return std::make_unique<Muon>(spec, options);
}

}  // namespace levin::core
