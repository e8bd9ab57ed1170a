// Gradient clipping in a run; the rules for norms and for values that are not finite.
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include "conformance/harness/numbers.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/optim/finite.hpp"
#include "core/optim/gradient_clipper.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

Outcome run_gradient_clip(const Case& c) {
  ScriptedRun request;
  request.trainer = c.inputs.at("trainer");
  request.trainer["limit_val_batches"] = 0;
  request.data["train"] = {1};
  request.script = {{"grads", c.inputs.at("grads")}, {"optimizers", {{{"name", "sgd"}, {"options", {{"lr", 1.0}}}}}}};
  const Observed seen = run(request);
  json grads, weights;
  for (const json& line : seen.records)
    if (line.contains("grads")) grads = line.at("grads"), weights = line.at("vectors");
  return outcome_of(seen, {{"grads_after", grads}, {"weights_after_sgd_lr1", weights}});
}

void flatten(const json& values, std::vector<float>& out) {
  if (!values.is_array()) return out.push_back(static_cast<float>(number_from(values)));
  for (const json& v : values) flatten(v, out);
}

Outcome run_track_grad_norm(const Case& c) {
  const json& p = c.inputs.at("track_grad_norm");
  const double order = p == "inf" ? std::numeric_limits<double>::infinity() : p.get<double>();
  std::vector<core::NamedTensor> parameters;
  for (const auto& [name, gradient] : c.inputs.at("grads").items()) {
    std::vector<float> values;
    if (!gradient.is_null()) flatten(gradient, values);
    const at::Tensor grad = at::tensor(values);
    at::Tensor parameter = at::zeros_like(grad).requires_grad_();
    if (!gradient.is_null()) parameter.mutable_grad() = grad;  // null = the parameter has no gradient
    parameters.push_back({name, parameter});
  }
  json logged = json::object();
  for (const core::NamedTensor& norm : core::grad_norms(parameters, order))
    logged[norm.name] = number_to(norm.tensor.item<double>());
  Outcome out;
  out.seen = {{"logged", logged}};
  return out;
}

Outcome run_terminate_on_nan(const Case& c) {
  const at::Tensor weight = at::full({1, 1}, number_from(c.inputs.at("weight")), at::kFloat);
  core::check_finite(at::scalar_tensor(number_from(c.inputs.at("loss")), at::kFloat), {{"weight", weight}},
                     "epoch 0, batch 0");
  Outcome out;
  out.seen = {{"error", false}};
  return out;
}

const SuiteEntry gradient_clip("gradient_clip", &run_gradient_clip);
const SuiteEntry track_grad_norm("track_grad_norm", &run_track_grad_norm);
const SuiteEntry terminate_on_nan("terminate_on_nan", &run_terminate_on_nan);

}  // namespace
}  // namespace conformance
