// The part of torch_compat.hpp for nodes of autograd, whose headers take seconds to compile.
#pragma once
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/version.h>

#include <typeinfo>

namespace levin::core {

// Returns true if the engine calls hooks before or after it calls the node.
inline bool has_hooks(torch::autograd::Node& node) {
#if TORCH_VERSION_MAJOR >= 2
  if (!node.tensor_pre_hooks().empty() || !node.retains_grad_hooks().empty() || node.tensor_post_acc_grad_hooks())
    return true;
#else
  // Hooks of a leaf are called by its node.
  if (typeid(node) == typeid(torch::autograd::AccumulateGrad)) {
    const auto& leaf = static_cast<torch::autograd::AccumulateGrad&>(node).variable;
    if (!torch::autograd::impl::hooks(leaf).empty()) return true;
  }
#endif
  return !node.pre_hooks().empty() || !node.post_hooks().empty();
}

namespace detail {
// The current release can say that any dtype is allowed.
template <class InputMetadata>
auto gradient_dtype(const InputMetadata& input, int /*preferred*/) -> decltype(input.grad_dtype()) {
  return input.grad_dtype();
}
template <class InputMetadata>
c10::optional<at::ScalarType> gradient_dtype(const InputMetadata& input, long /*of older releases*/) {
  return c10::typeMetaToScalarType(input.dtype());
}
}  // namespace detail

// Returns the dtype that gradients of a node's input are cast to, or nothing if any dtype is allowed.
inline auto gradient_dtype(const torch::autograd::InputMetadata& input) { return detail::gradient_dtype(input, 0); }

}  // namespace levin::core
