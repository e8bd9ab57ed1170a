// "levin.params/1" of the fake host: named tensors and snapshots.
#pragma once
#include "levin/testing/services.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

inline levin_status visit_all(levin_run* run, const std::vector<levin_tensor*>* tensors, const levin_visitor* visitor) {
  const auto& params = World::of(run).params;
  for (size_t i = 0; i < params.size(); ++i) {
    const levin_status status =
        visitor->tensor(visitor, params[i].name.c_str(), tensors ? (*tensors)[i] : params[i].tensor, params[i].kind);
    if (status != LEVIN_OK) return status;
  }
  return LEVIN_OK;
}

inline std::vector<levin_tensor*>* snapshot(levin_run* run, uint64_t id) {
  const auto found = World::of(run).snapshots.find(id);
  return found == World::of(run).snapshots.end() ? nullptr : &found->second;
}

inline levin_status take_snapshot(levin_run* run, uint64_t* id) {
  World& world = World::of(run);
  *id = world.snapshots.empty() ? 1 : world.snapshots.rbegin()->first + 1;
  for (const Param& param : world.params)
    world.snapshots[*id].push_back(copy_of(Tensor::of(param.tensor).view)->handle());
  return LEVIN_OK;
}

inline levin_status lerp(levin_run* run, uint64_t id, double weight, uint32_t buffers) {
  const auto* copies = snapshot(run, id);
  if (!copies) return LEVIN_E_NOT_FOUND;
  const auto& params = World::of(run).params;
  for (size_t p = 0; p < params.size(); ++p) {
    const bool buffer = params[p].kind == LEVIN_BUFFER;
    if (buffer && buffers == LEVIN_BUFFERS_KEEP) continue;
    const double by = buffer && buffers == LEVIN_BUFFERS_COPY ? 1 : weight;
    const levin_view &from = Tensor::of(params[p].tensor).view, &to = Tensor::of((*copies)[p]).view;
    for (int64_t i = 0; i < element_count(to); ++i)
      set_element(to, i, element(to, i) + by * (element(from, i) - element(to, i)));
  }
  return LEVIN_OK;
}

inline levin_status set_requires_grad(levin_run* run, const char* glob, int32_t on) {
  levin_status status = LEVIN_E_NOT_FOUND;
  for (Param& param : World::of(run).params)
    if (matches(glob, param.name.c_str())) param.requires_grad = on != 0, status = LEVIN_OK;
  return status;
}

inline const levin_params& params() {
  static const levin_params table = [] {
    levin_params t{};
    t.size = sizeof t;
    t.visit = [](levin_run* run, const levin_visitor* visitor) { return visit_all(run, nullptr, visitor); };
    t.requires_grad = &set_requires_grad;
    t.get_requires_grad = [](levin_run* run, const char* name, int32_t* on) -> levin_status {
      for (const Param& param : World::of(run).params)
        if (param.name == name) return *on = param.requires_grad, LEVIN_OK;
      return LEVIN_E_NOT_FOUND;
    };
    t.snapshot = &take_snapshot;
    t.swap = [](levin_run* run, uint64_t id) -> levin_status {
      auto* copies = snapshot(run, id);
      if (!copies) return LEVIN_E_NOT_FOUND;
      for (size_t i = 0; i < copies->size(); ++i)
        Tensor::of((*copies)[i]).bytes.swap(Tensor::of(World::of(run).params[i].tensor).bytes);
      for (size_t i = 0; i < copies->size(); ++i)
        for (levin_tensor* t_i : {(*copies)[i], World::of(run).params[i].tensor})
          Tensor::of(t_i).view.data = Tensor::of(t_i).bytes.data();
      return LEVIN_OK;
    };
    t.snapshot_visit = [](levin_run* run, uint64_t id, const levin_visitor* visitor) -> levin_status {
      const auto* copies = snapshot(run, id);
      return copies ? visit_all(run, copies, visitor) : LEVIN_E_NOT_FOUND;
    };
    t.lerp = &lerp;
    t.drop = [](levin_run* run, uint64_t id) -> levin_status {
      auto* copies = snapshot(run, id);
      if (!copies) return LEVIN_E_NOT_FOUND;
      for (levin_tensor* copy : *copies) delete &Tensor::of(copy);
      World::of(run).snapshots.erase(id);
      return LEVIN_OK;
    };
    t.assign = [](levin_run* run, const char* name, levin_tensor* value) -> levin_status {
      const levin_view& from = Tensor::of(value).view;
      for (const Param& param : World::of(run).params) {
        if (param.name != name) continue;
        const levin_view& to = Tensor::of(param.tensor).view;
        for (int64_t i = 0; i < element_count(to); ++i) set_element(to, i, element(from, i));
        return LEVIN_OK;
      }
      return LEVIN_E_NOT_FOUND;
    };
    return t;
  }();
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
