// Optimizers of the torch tier: derive from levin::Optimizer and declare
//   void step();                              updates the parameters
//   void init_state(levin::OptimizerParam&);  optional: creates the state of a parameter when it is added
// Numeric options may differ between groups and are changed by schedules: read them in step, as group["lr"].
// All calls are made on the training thread, under no-grad. Models use it as plan.optimizer("ID", {{"lr", 0.1}}).
#pragma once
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "levin/detail/object.hpp"
#include "levin/torch/tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct OptimizerParam {
  at::Tensor tensor;  // the leaf; skip it if tensor.grad() is undefined: it has no gradient in this step
  std::string name;
  // Created in init_state. Checkpoints save the tensors under these names, which must not contain a '.'.
  std::map<std::string, at::Tensor> state;
};

class OptimizerGroup {
 public:
  std::vector<OptimizerParam> params;
  // Returns the value of a numeric option; a bool is 0 or 1, null is NaN. Throws Error (LEVIN_E_NOT_FOUND) for a
  // missing option or one of another type.
  double& operator[](const std::string& option) {
    const auto found = numbers_.find(option);
    if (found == numbers_.end()) throw Error(LEVIN_E_NOT_FOUND, "the optimizer has no number '" + option + "'");
    return found->second;
  }

  // Sets all numeric options from args.
  void read(const Args& args, const levin_option* options, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
      const char* name = options[i].name;
      if (options[i].type == LEVIN_T_BOOL)
        numbers_[name] = args.flag(name) ? 1 : 0;
      else if (options[i].type == LEVIN_T_INT || options[i].type == LEVIN_T_FLOAT)
        numbers_[name] = args.is_null(name) ? std::numeric_limits<double>::quiet_NaN() : args.number(name);
    }
  }

 private:
  std::map<std::string, double> numbers_;
};

class Optimizer : public Object {
 public:
  // Returns the groups in the order in which the host added them. The reference is valid until a group is added.
  std::vector<OptimizerGroup>& groups() { return groups_; }

 private:
  std::vector<OptimizerGroup> groups_;
};

namespace detail {
LEVIN_DETECT(init_state)

template <class T>
uint32_t add_group(T& optimizer, levin_tensor* const* params, const char* const* names, uint32_t n,
                   const levin_args* raw) {
  const auto [options, n_options] = options_of<T>();
  OptimizerGroup group;
  group.read(Args(raw, options, n_options), options, n_options);
  for (uint32_t i = 0; i < n; ++i) {
    group.params.push_back({to_torch(params[i]), names[i], {}});
    if constexpr (has_init_state<T>::value) optimizer.init_state(group.params.back());
  }
  optimizer.groups().push_back(std::move(group));
  return static_cast<uint32_t>(optimizer.groups().size() - 1);
}

inline void visit_state(Optimizer& optimizer, const levin_visitor* visitor) {
  for (OptimizerGroup& group : optimizer.groups())
    for (OptimizerParam& param : group.params)
      for (const auto& [what, tensor] : param.state)
        check(visitor->tensor(visitor, (param.name + "." + what).c_str(), to_handle(tensor), LEVIN_BUFFER), "visit");
}

template <class T>
levin_optimizer make_optimizer_table() {
  using H = Holder<T, NoExtra>;
  levin_optimizer t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  t.add_group = [](void* self, levin_tensor* const* params, const char* const* names, uint32_t n,
                   const levin_args* args, uint32_t* group) noexcept {
    return with_object<H>(self, [&](T& optimizer) { *group = add_group(optimizer, params, names, n, args); });
  };
  t.step = [](void* self, levin_run*, levin_status (*)(void*), void*) noexcept {
    return with_object<H>(self, [](T& optimizer) { optimizer.step(); });
  };
  t.set = [](void* self, uint32_t group, const char* option, double value) noexcept {
    return with_object<H>(self, [&](T& optimizer) { optimizer.groups().at(group)[option] = value; });
  };
  t.get = [](void* self, uint32_t group, const char* option, double* out) noexcept {
    return with_object<H>(self, [&](T& optimizer) { *out = optimizer.groups().at(group)[option]; });
  };
  t.visit = [](void* self, const levin_visitor* visitor) noexcept {
    return with_object<H>(self, [visitor](T& optimizer) { visit_state(optimizer, visitor); });
  };
  return t;
}

template <class T>
const levin_object* optimizer_table() {
  static const levin_optimizer table = make_optimizer_table<T>();
  return &table.o;
}
}  // namespace detail

template <class T>
levin_component optimizer(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<Optimizer, T>) {
    static_assert(std::is_base_of_v<Optimizer, T>, "an optimizer derives from levin::Optimizer");
  } else if constexpr (!detail::is_publicly<T, Optimizer>) {
    LEVIN_DEMAND_PUBLIC(T, Optimizer, "levin::Optimizer");
  } else if constexpr (!detail::component_is_sound<T>()) {
    detail::demand_component<T>();
  } else {
    c = detail::component_of<T>(LEVIN_KIND_OPTIMIZER, id, summary);
    c.create = &detail::create<detail::Holder<T, detail::NoExtra>, &detail::optimizer_table<T>>;
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
