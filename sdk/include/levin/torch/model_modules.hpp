// The host's operations on a model's modules: list tensors, set the mode, move to a device.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "levin/torch/model_base.hpp"
#include "levin/torch/model_parts.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The mode of every module. A batch norm in evaluation mode is then still in it after a validation.
class Modes {
 public:
  explicit Modes(torch::nn::Module& root) : root_(root.is_training()) {
    for (const auto& module : root.modules(/*include_self=*/false)) others_.emplace_back(module, module->is_training());
  }
  // Parents come first, because train() also changes every submodule.
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
levin_status visit_model(void* self, const levin_visitor* visitor) noexcept {
  return with_object<H>(self, [visitor](auto& object) {
    const torch::nn::Module& root = network_of(object);
    for (const auto& parameter : root.named_parameters())
      check(visitor->tensor(visitor, parameter.key().c_str(), to_handle(parameter.value()), LEVIN_PARAMETER), "visit");
    for (const auto& buffer : root.named_buffers())
      check(visitor->tensor(visitor, buffer.key().c_str(), to_handle(buffer.value()), LEVIN_BUFFER), "visit");
  });
}

template <class H>
levin_status mode_model(void* self, uint32_t training) noexcept {
  std::optional<Modes>& before = H::of(self).extra.before_evaluation;
  return with_object<H>(self, [&before, training](auto& object) {
    torch::nn::Module& root = network_of(object);
    if (training && before) {
      before->restore(root);
      before.reset();
    } else if (!training && !before) {
      before.emplace(root);
      root.eval();
    } else if (training && overrides<Network<Held<H>>, name_train>()) {
      root.train(root.is_training());  // an overridden train() may freeze modules: from the first batch on
    }
  });
}

inline std::vector<torch::Tensor> tensors_of(const torch::nn::Module& root) {
  std::vector<torch::Tensor> all = root.parameters();
  for (const torch::Tensor& buffer : root.buffers()) all.push_back(buffer);
  return all;
}

// Converts the floating-point tensors. Module::to also converts integers, whose values are restored. Tensors that an
// overridden `to` left out are converted afterwards.
inline void convert(torch::nn::Module& root, at::ScalarType type) {
  std::vector<std::pair<torch::Tensor, torch::Tensor>> integers;
  for (const torch::Tensor& tensor : tensors_of(root))
    if (!tensor.is_floating_point()) integers.emplace_back(tensor, tensor.detach());
  root.to(type);
  for (auto& [tensor, before] : integers) tensor.set_data(before);
  for (torch::Tensor& tensor : tensors_of(root))
    if (tensor.is_floating_point() && tensor.scalar_type() != type) tensor.set_data(tensor.to(type));
}

// Calls the virtual Module::to, which a module may override. With single precision no type is converted.
template <class H>
levin_status move_model(void* self, levin_device device, levin_dtype dtype) noexcept {
  return with_object<H>(self, [=](auto& object) {
    const torch::NoGradGuard no_grad;
    torch::nn::Module& root = network_of(object);
    root.to(to_torch(device));
    if (to_torch(dtype) != at::kFloat) convert(root, to_torch(dtype));
  });
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
