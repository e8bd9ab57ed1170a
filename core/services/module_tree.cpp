// "levin.module_tree/1": the model's modules and their sizes.
#include <string>
#include <utility>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/services/outputs.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

using EachModule = void (*)(void*, const char*, const char*, uint32_t, uint32_t);
using EachSize = void (*)(void*, const char*, const char*, const char*);

ModuleTreeParts module_tree_parts(levin_run* run) {
  const ModuleTreeParts& parts = parts_of(run, &levin_run::module_tree);
  return {instance_of(parts.model), device_of_instance(parts.device), parts.warn, parts.precision};
}

// Visits the input and output sizes of the model's modules. Restores the random generators, so that training draws the
// same random numbers as without this call. Returns false if the sizes are unknown.
bool visit_sizes(levin_run* run, EachSize each, void* ctx) {
  const ModuleTreeParts parts = module_tree_parts(run);
  const levin_modules* modules = parts.model.modules();
  if (!modules || !LEVIN_HAS(levin_modules, modules, sizes)) return false;
  const GeneratorScope generators(parts.device);
  bool known = true;
  try {
    parts.model.invoke("example_input", [&] { return modules->sizes(parts.model.self(), run, each, ctx); });
  } catch (const Error& e) {
    parts.warn(std::string("the sizes of the model's modules are not known: ") + e.what());
    known = false;
  }
  return known;
}

// Calls body with the model in evaluation mode and without gradients. Restores the mode, even if body throws.
template <class F>
void in_evaluation(Model& model, F&& body) {
  const at::NoGradGuard no_grad;
  const bool was_training = model.is_training();
  if (!was_training) return body();
  model.mode(false);
  try {
    body();
  } catch (...) {
    model.mode(true);
    throw;
  }
  model.mode(true);
}

// Returns the input on the run's device and, if it is floating-point, in the data type of the run's batches.
at::Tensor placed(const ModuleTreeParts& parts, levin_tensor* input) {
  const at::Tensor tensor = retain(input);
  const at::ScalarType type = parts.precision ? parts.precision->input_dtype() : at::ScalarType::Undefined;
  const bool cast = tensor.is_floating_point() && type != at::ScalarType::Undefined;
  return tensor.to(parts.device, cast ? type : tensor.scalar_type());
}

// Runs forward as for a validation batch. Restores the random generators, so that the call does not change the
// training.
std::vector<at::Tensor> forward(levin_run* run, levin_tensor* const* in, uint32_t n) {
  const ModuleTreeParts parts = module_tree_parts(run);
  std::vector<at::Tensor> inputs, outputs;
  for (uint32_t i = 0; i < n; ++i) inputs.push_back(placed(parts, in[i]));
  const GeneratorScope generators(parts.device);
  const auto compute = [&] { outputs = parts.model.forward(inputs, run); };
  in_evaluation(parts.model, [&] { parts.precision ? parts.precision->forward(compute) : compute(); });
  return outputs;
}

levin_status forward_into(levin_run* run, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap,
                          uint32_t* n_out) {
  Model& model = module_tree_parts(run).model;
  if (!model.overrides().has_forward())
    return failed_service(model.instance() + " has no forward that callbacks can call", LEVIN_E_UNSUPPORTED);
  return give_outputs(forward(run, in, n), out, cap, n_out);
}

levin_module_tree make_module_tree_table() {
  levin_module_tree t{};
  t.size = sizeof t;
  t.visit = [](levin_run* run, EachModule each, void* ctx) {
    return serve([&]() -> levin_status {
      Model& model = module_tree_parts(run).model;
      const levin_modules* modules = model.modules();
      if (!modules) return LEVIN_E_UNSUPPORTED;
      model.invoke("levin.modules/1", [&] { return modules->visit(model.self(), each, ctx); });
      return LEVIN_OK;
    });
  };
  t.sizes = [](levin_run* run, EachSize each, void* ctx) {
    return serve([&] { return visit_sizes(run, each, ctx) ? LEVIN_OK : LEVIN_E_UNSUPPORTED; });
  };
  t.forward = [](levin_run* run, levin_tensor* const* in, uint32_t n, levin_tensor** out, uint32_t cap,
                 uint32_t* n_out) { return serve([&] { return forward_into(run, in, n, out, cap, n_out); }); };
  return t;
}

}  // namespace

const levin_module_tree* module_tree_service() {
  static const levin_module_tree table = make_module_tree_table();
  return &table;
}

}  // namespace levin::core
