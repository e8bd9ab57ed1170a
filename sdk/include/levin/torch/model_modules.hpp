// What the host asks of a model's modules: its tensors, the mode of each, and its place.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "levin/torch/model_base.hpp"

namespace levin {
namespace detail {

template <class T>
torch::nn::Module& module_of(T& object) {
  if constexpr (std::is_base_of_v<torch::nn::Module, T>)
    return object;
  else
    return object.module();
}

// Mode of every module, so that a frozen batch norm stays in eval.
class Modes {
 public:
  explicit Modes(torch::nn::Module& root) : root_(root.is_training()) {
    for (const auto& m : root.modules(/*include_self=*/false)) others_.emplace_back(m, m->is_training());
  }
  // Parents come first: train() reaches all that is below.
  void restore(torch::nn::Module& root) const {
    root.train(root_);
    for (const auto& [module, training] : others_) module->train(training);
  }

 private:
  bool root_;
  std::vector<std::pair<std::shared_ptr<torch::nn::Module>, bool>> others_;
};

struct ModelExtra {
  std::optional<Modes> before_evaluation;
};

template <class H>
levin_status visit_model(void* self, const levin_visitor* v) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    for (const auto& p : module_of(object).named_parameters())
      check(v->tensor(v, p.key().c_str(), to_handle(p.value()), LEVIN_PARAMETER), "visit");
    for (const auto& b : module_of(object).named_buffers())
      check(v->tensor(v, b.key().c_str(), to_handle(b.value()), LEVIN_BUFFER), "visit");
  });
}

template <class H>
levin_status mode_model(void* self, uint32_t training) noexcept {
  H& h = H::of(self);
  return guard(h.object.host(), [&] {
    torch::nn::Module& root = module_of(h.object);
    std::optional<Modes>& before = h.extra.before_evaluation;
    if (training && before) {
      before->restore(root);
      before.reset();
    } else if (!training && !before) {
      before.emplace(root);
      root.eval();
    }
  });
}

template <class H>
levin_status move_model(void* self, levin_device device, levin_dtype dtype) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    torch::NoGradGuard no_grad;
    auto move = [&](torch::Tensor& t) {
      if (t.defined()) t.set_data(t.to(to_torch(device), t.is_floating_point() ? to_torch(dtype) : t.scalar_type()));
    };
    for (torch::Tensor& t : module_of(object).parameters()) move(t);
    for (torch::Tensor& t : module_of(object).buffers()) move(t);
  });
}

}  // namespace detail
}  // namespace levin
