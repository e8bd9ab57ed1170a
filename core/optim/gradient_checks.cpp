#include "core/optim/gradient_checks.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/optim/finite.hpp"

namespace levin::core {
namespace {

std::string norm_name(double p) { return std::isinf(p) ? "inf" : show(p); }

}  // namespace

std::vector<NamedTensor> grad_norms(const std::vector<NamedTensor>& parameters, double p) {
  const at::NoGradGuard no_grad;
  const std::string prefix = "grad_" + norm_name(p) + "_norm";
  std::vector<NamedTensor> out;
  std::vector<at::Tensor> norms;
  for (const NamedTensor& parameter : parameters) {
    const at::Tensor& grad = parameter.tensor.grad();
    if (!grad.defined()) continue;
    const at::Tensor norm = at::linalg_vector_norm(grad, p);
    out.push_back({prefix + "/" + parameter.name, norm});
    norms.push_back(norms.empty() ? norm : norm.to(norms[0].options(), true));
  }
  if (!norms.empty()) out.push_back({prefix + "_total", at::linalg_vector_norm(at::stack(norms), p)});
  return out;
}

void check_finite(const at::Tensor& loss, const std::vector<NamedTensor>& parameters, const std::string& where) {
  const at::NoGradGuard no_grad;
  const std::string option = " (" + where + "); trainer.terminate_on_nan ends the run";
  if (loss.defined() && !is_finite(loss))
    throw PlacedError(ErrorKind::non_finite, "the loss that training_step returned is not finite" + option);
  for (const NamedTensor& p : parameters)
    if (!is_finite(p.tensor))
      throw PlacedError(ErrorKind::non_finite, "parameter '" + p.name + "' is not finite" + option);
}

}  // namespace levin::core
