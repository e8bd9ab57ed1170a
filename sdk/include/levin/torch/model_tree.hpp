// "levin.modules/1": the tree of a model's modules, and the sizes of their inputs and outputs in one forward pass of an
// example input.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/torch/model_ends.hpp"
#include "levin/torch/model_forward.hpp"
#include "levin/torch/model_modules.hpp"
#include "levin/torch/model_rules.hpp"
#include "levin/watch.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Returns one row of zeros with the shape and type of the data's input, [1, ...], for a model's example_input(). It is
// undefined if the data has no input, or rows of different shapes.
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

inline std::string short_type(const std::string& type) {
  std::string out = type.substr(type.rfind("::") == std::string::npos ? 0 : type.rfind("::") + 2);
  if (out.size() > 4 && out.compare(out.size() - 4, 4, "Impl") == 0) out.resize(out.size() - 4);
  return out;
}

template <class H>
levin_status visit_modules(void* self, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) {
  return with_object<H>(self, [=](auto& object) {
    const torch::nn::Module& root = network_of(object);
    each(ctx, "", short_type(root.name()).c_str(), 0, root.is_training());
    for (const auto& item : root.named_modules("", /*include_self=*/false)) {
      const auto& [name, module] = item.pair();
      const auto depth = 1 + static_cast<uint32_t>(std::count(name.begin(), name.end(), '.'));
      each(ctx, name.c_str(), short_type(module->name()).c_str(), depth, module->is_training());
    }
  });
}

// Returns the example on the device of the parameters and, if it is floating-point, in their type.
inline torch::Tensor placed(torch::Tensor example, const torch::nn::Module& module) {
  for (const torch::Tensor& parameter : module.parameters()) {
    if (!parameter.defined()) continue;
    const bool cast = parameter.is_floating_point() && example.is_floating_point();
    return example.to(parameter.device(), cast ? parameter.scalar_type() : example.scalar_type());
  }
  return example;
}

// Calls forward in evaluation mode and without gradients. Restores the modes, even if forward throws.
template <class Net>
void forward_example(Net& net, const torch::Tensor& example) {
  const struct Evaluation {
    explicit Evaluation(torch::nn::Module& module) : root(module), before(module) { root.eval(); }
    ~Evaluation() { before.restore(root); }
    torch::nn::Module& root;
    const Modes before;
  } evaluation(net);
  const torch::NoGradGuard no_grad;
  torch::Tensor input = placed(example, net);
  watch(net, input);
}

template <class H>
levin_status visit_sizes(void* self, levin_run* run, void (*each)(void*, const char*, const char*, const char*),
                         void* ctx) {
  return with_object<H>(self, [=](auto& object) {
    object.set_run(run);
    const torch::Tensor example = object.example_input();
    if (!example.defined()) return;
    SizeWatch seen;
    forward_example(network_of(object), example);
    const torch::nn::Module& root = network_of(object);
    for (const auto& item : root.named_modules("", /*include_self=*/false)) {
      const auto& [name, module] = item.pair();
      if (const Sizes* sizes = seen.of(*module)) each(ctx, name.c_str(), sizes->in.c_str(), sizes->out.c_str());
    }
  });
}

template <class H>
constexpr decltype(levin_modules::sizes) sizes_function() {
  using T = Held<H>;
  if constexpr (has_example_input<T>::value) {
    using Net = std::remove_reference_t<decltype(network_of(std::declval<T&>()))>;
    static_assert(takes_tensors<Net, 1>, "example_input() is what forward(torch::Tensor) is called with");
    return &visit_sizes<H>;
  } else {
    return nullptr;
  }
}

template <class H>
const void* model_extension([[maybe_unused]] void* self, const char* id) noexcept {
  using T = Held<H>;
  static const levin_modules modules = {sizeof(levin_modules), 0, &visit_modules<H>, sizes_function<H>()};
  if (std::strcmp(id, "levin.modules/1") == 0) return &modules;
  if (std::strcmp(id, "levin.model_1x/1") == 0) return model_1x<H>();
  try {
    if constexpr (has_extension<T>::value) return H::of(self).object.extension(id);
  } catch (...) {
  }
  return nullptr;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
