// Finds members of a model in the class itself or in the network of a supervised task.
#pragma once
#include <torch/nn/module.h>

#include <type_traits>
#include <utility>

#include "levin/detail/members.hpp"

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
template <class T>
using Network = std::remove_reference_t<decltype(network_of(std::declval<T&>()))>;

// The class that has the member of that name: the network, if it declares the member, else the task.
template <class T, class Name>
using PartWith = std::conditional_t<has_pointer<Network<T>, Name>::value, Network<T>, T>;
template <class T, class Name>
constexpr bool model_has = has_pointer<PartWith<T, Name>, Name>::value;
template <class Name, class T>
PartWith<T, Name>& part_with(T& object) {
  if constexpr (std::is_same_v<PartWith<T, Name>, T>)
    return object;
  else
    return network_of(object);
}

// overrides() returns true if a network overrides the virtual train(bool) or zero_grad(bool) of its base.
LEVIN_MEMBER_NAME(train)
LEVIN_MEMBER_NAME(zero_grad)
template <class Net, class Name>
constexpr bool overrides() {
  if constexpr (has_pointer<Net, Name>::value) {
    using F = typename Name::template pointer<Net>;
    return !std::is_same_v<F, void (torch::nn::Module::*)(bool)> && std::is_invocable_v<F, Net&, bool>;
  }
  return false;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
