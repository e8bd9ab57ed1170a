// "levin.params/1": the model's parameters and buffers by name, and copies of them.
#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/text.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

ParamsParts& params_parts(levin_run* run) { return parts_of(run, &levin_run::params); }
Model& model_of(levin_run* run) { return instance_of(params_parts(run).model); }

void visit(const Model& model, const levin_visitor& v) {
  for (const NamedTensor& t : model.parameters()) v.tensor(&v, t.name.c_str(), borrow(t.tensor), LEVIN_PARAMETER);
  for (const NamedTensor& t : model.buffers()) v.tensor(&v, t.name.c_str(), borrow(t.tensor), LEVIN_BUFFER);
}

// Returns false if no parameter's name matches the glob.
bool set_requires_grad(const Model& model, const std::string& glob, bool on) {
  bool any = false;
  for (const NamedTensor& t : model.parameters()) {
    if (!glob_match(glob, t.name)) continue;
    at::Tensor parameter = t.tensor;
    parameter.set_requires_grad(on);
    any = true;
  }
  return any;
}

const NamedTensor* find_tensor(const std::vector<NamedTensor>& tensors, const std::string& name) {
  for (const NamedTensor& t : tensors)
    if (t.name == name) return &t;
  return nullptr;
}

// Returns false if neither a parameter nor a buffer has the name.
bool assign(const Model& model, const std::string& name, levin_tensor* value) {
  const at::NoGradGuard no_grad;
  const NamedTensor* target = find_tensor(model.parameters(), name);
  if (!target) target = find_tensor(model.buffers(), name);
  if (target) target->tensor.detach().copy_(retain(value));
  return target != nullptr;
}

levin_params make_params_table() {
  levin_params t{};
  t.size = sizeof t;
  t.visit = [](levin_run* run, const levin_visitor* visitor) {
    return serve_in_turn([&] { visit(model_of(run), *visitor); });
  };
  t.requires_grad = [](levin_run* run, const char* glob, int32_t on) {
    return serve_in_turn(
        [&] { return set_requires_grad(model_of(run), glob, on != 0) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  t.get_requires_grad = [](levin_run* run, const char* name, int32_t* on) {
    return serve_in_turn([&] {
      const NamedTensor* parameter = find_tensor(model_of(run).parameters(), name);
      *on = parameter && parameter->tensor.requires_grad();
      return parameter ? LEVIN_OK : LEVIN_E_NOT_FOUND;
    });
  };
  t.snapshot = [](levin_run* run, uint64_t* id) {
    return serve_in_turn([&] { *id = params_parts(run).snapshots.make(); });
  };
  t.swap = [](levin_run* run, uint64_t id) { return serve_in_turn([&] { params_parts(run).snapshots.swap(id); }); };
  t.snapshot_visit = [](levin_run* run, uint64_t id, const levin_visitor* visitor) {
    return serve_in_turn([&] { params_parts(run).snapshots.visit(id, *visitor); });
  };
  t.lerp = [](levin_run* run, uint64_t id, double weight, uint32_t buffers) {
    return serve_in_turn([&] { params_parts(run).snapshots.lerp(id, weight, buffers); });
  };
  t.drop = [](levin_run* run, uint64_t id) { return serve_in_turn([&] { params_parts(run).snapshots.drop(id); }); };
  t.assign = [](levin_run* run, const char* name, levin_tensor* value) {
    return serve_in_turn([&] { return assign(model_of(run), name, value) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  return t;
}

}  // namespace

const levin_params* params_service() {
  static const levin_params table = make_params_table();
  return &table;
}

}  // namespace levin::core
