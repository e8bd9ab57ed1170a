// The tree of a model's modules, and the sizes that they have in one forward of an example: "levin.modules/1".
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/torch/model_base.hpp"
#include "levin/torch/model_modules.hpp"
#include "levin/watch.hpp"

namespace levin {

// One row of zeros for the data's input, for a model's example_input(). Undefined where the data describes no input, or
// rows of several shapes.
inline torch::Tensor example_of(const DataInfo& data) {
  for (const Field& field : data.fields()) {
    if (field.role != LEVIN_ROLE_INPUT) continue;
    std::vector<int64_t> shape = {1};
    shape.insert(shape.end(), field.shape.begin(), field.shape.end());
    if (*std::min_element(shape.begin(), shape.end()) < 0) return {};
    return torch::zeros(shape, to_torch(field.dtype));
  }
  return {};
}

namespace detail {

LEVIN_DETECT(example_input)

template <class T, class = void>
struct has_tensor_forward : std::false_type {};
template <class T>
struct has_tensor_forward<T, std::void_t<decltype(std::declval<T&>().forward(std::declval<torch::Tensor>()))>>
    : std::true_type {};

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

// The class that has forward(tensor): a model, or the network in a system.
template <class T>
auto& network_of(T& object) {
  if constexpr (std::is_base_of_v<torch::nn::Module, T>)
    return object;
  else
    return object.module();
}

// To the place and, for numbers that are not whole, the type of the parameters.
inline torch::Tensor placed(torch::Tensor example, const torch::nn::Module& module) {
  for (const torch::Tensor& p : module.parameters()) {
    if (!p.defined()) continue;
    const bool cast = p.is_floating_point() && example.is_floating_point();
    return example.to(p.device(), cast ? p.scalar_type() : example.scalar_type());
  }
  return example;
}

// In evaluation and without gradients; the modes are as before, whatever forward throws.
template <class Net>
void forward_example(Net& net, const torch::Tensor& example) {
  const struct Evaluation {
    explicit Evaluation(torch::nn::Module& r) : root(r), before(r) { root.eval(); }
    ~Evaluation() { before.restore(root); }
    torch::nn::Module& root;
    const Modes before;
  } evaluation(net);
  const torch::NoGradGuard no_grad;
  watch(net, placed(example, net));
}

template <class H>
levin_status visit_sizes(void* self, levin_run* run, void (*each)(void*, const char*, const char*, const char*),
                         void* ctx) {
  auto& object = H::of(self).object;
  object.set_run(run);
  return guard(object.host(), [&] {
    const torch::Tensor example = object.example_input();
    if (!example.defined()) return;
    SizeWatch seen;
    forward_example(network_of(object), example);
    for (const auto& m : module_of(object).named_modules("", /*include_self=*/false))
      if (const Sizes* sizes = seen.of(*m.value())) each(ctx, m.key().c_str(), sizes->in.c_str(), sizes->out.c_str());
  });
}

template <class H>
constexpr decltype(levin_modules::sizes) sizes_function() {
  using T = decltype(H::object);
  if constexpr (has_example_input<T>::value) {
    using Net = std::remove_reference_t<decltype(network_of(std::declval<T&>()))>;
    static_assert(has_tensor_forward<Net>::value, "example_input() is what forward(torch::Tensor) is called with");
    return &visit_sizes<H>;
  } else {
    return nullptr;
  }
}

template <class H>
const void* model_extension([[maybe_unused]] void* self, const char* id) noexcept {
  using T = decltype(H::object);
  static const levin_modules modules = {sizeof(levin_modules), 0, &visit_modules<H>, sizes_function<H>()};
  if (std::strcmp(id, "levin.modules/1") == 0) return &modules;
  try {
    if constexpr (has_extension<T>::value) return H::of(self).object.extension(id);
  } catch (...) {
  }
  return nullptr;
}

}  // namespace detail
}  // namespace levin
