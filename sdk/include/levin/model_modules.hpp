// What the host asks of a model's modules: its tensors, the mode of each, its place, and the tree.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/model.hpp"

namespace levin {
namespace detail {

template <class T>
torch::nn::Module& module_of(T& object) {
  if constexpr (std::is_base_of_v<torch::nn::Module, T>)
    return object;
  else
    return object.module();
}

// Mode of every submodule, kept over an evaluation, so that a frozen batch norm stays in eval.
struct ModelExtra {
  std::vector<std::pair<std::shared_ptr<torch::nn::Module>, bool>> training;
  bool evaluating = false;
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
    if (training && h.extra.evaluating) {
      root.train(h.extra.training.front().second);
      for (size_t i = 1; i < h.extra.training.size(); ++i) h.extra.training[i].first->train(h.extra.training[i].second);
      h.extra.evaluating = false;
    } else if (!training && !h.extra.evaluating) {
      h.extra.training = {{nullptr, root.is_training()}};
      for (const auto& m : root.modules(/*include_self=*/false)) h.extra.training.emplace_back(m, m->is_training());
      root.eval();
      h.extra.evaluating = true;
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

inline std::string short_type(const std::string& type) {
  std::string out = type.substr(type.rfind("::") == std::string::npos ? 0 : type.rfind("::") + 2);
  if (out.size() > 4 && out.compare(out.size() - 4, 4, "Impl") == 0) out.resize(out.size() - 4);
  return out;
}

template <class H>
levin_status visit_modules(void* self, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    torch::nn::Module& root = module_of(object);
    each(ctx, "", short_type(root.name()).c_str(), 0, root.is_training());
    for (const auto& m : root.named_modules("", /*include_self=*/false)) {
      const auto depth = 1 + static_cast<uint32_t>(std::count(m.key().begin(), m.key().end(), '.'));
      each(ctx, m.key().c_str(), short_type(m.value()->name()).c_str(), depth, m.value()->is_training());
    }
  });
}

template <class H>
const void* model_extension([[maybe_unused]] void* self, const char* id) noexcept {
  using T = decltype(H::object);
  static const levin_modules modules = {sizeof(levin_modules), 0, &visit_modules<H>};
  if (std::strcmp(id, "levin.modules/1") == 0) return &modules;
  try {
    if constexpr (has_extension<T>::value) return H::of(self).object.extension(id);
  } catch (...) {
  }
  return nullptr;
}

}  // namespace detail
}  // namespace levin
