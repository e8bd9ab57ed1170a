// What the host asks of a model's modules: their tensors, the mode of each, and where they live.
#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "levin/torch/model_base.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The module that has the parameters: the model itself, or the network of a supervised task.
template <class T>
auto& network_of(T& object) {
  if constexpr (std::is_base_of_v<torch::nn::Module, T>)
    return object;
  else
    return object.module();
}

// The mode of every module, so that a batch norm which was in evaluation stays there after a validation.
class Modes {
 public:
  explicit Modes(torch::nn::Module& root) : root_(root.is_training()) {
    for (const auto& module : root.modules(/*include_self=*/false)) others_.emplace_back(module, module->is_training());
  }
  // Parents come first, since train() also changes every module below.
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
    }
  });
}

template <class H>
levin_status move_model(void* self, levin_device device, levin_dtype dtype) noexcept {
  return with_object<H>(self, [=](auto& object) {
    const torch::NoGradGuard no_grad;
    const auto move = [=](torch::Tensor& tensor) {
      if (!tensor.defined()) return;
      const at::ScalarType type = tensor.is_floating_point() ? to_torch(dtype) : tensor.scalar_type();
      tensor.set_data(tensor.to(to_torch(device), type));
    };
    torch::nn::Module& root = network_of(object);
    for (torch::Tensor& tensor : root.parameters()) move(tensor);
    for (torch::Tensor& tensor : root.buffers()) move(tensor);
  });
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
