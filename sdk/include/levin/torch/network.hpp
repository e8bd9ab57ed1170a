// The networks of supervised tasks: plain modules of LibTorch, or models (levin::Model), whose members take precedence
// over the task's.
#pragma once
#include <torch/nn/pimpl.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/model.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The module type of a holder made by TORCH_MODULE, or the class itself.
template <class Net, class = void>
struct Unheld {
  using type = Net;
};
template <class Net>
struct Unheld<Net, std::enable_if_t<std::is_base_of_v<torch::nn::ModuleHolder<typename Net::ContainedType>, Net>>> {
  using type = typename Net::ContainedType;
};

// A network may declare `static std::shared_ptr<Net> made(const Args&, const DataInfo&)`, to choose a derived class.
template <class Net, class = void>
struct makes_itself : std::false_type {};
template <class Net>
struct makes_itself<Net, std::void_t<decltype(Net::made(std::declval<const Args&>(), std::declval<const DataInfo&>()))>>
    : std::true_type {};

template <class Net>
std::shared_ptr<Net> make_network(const Args& args, const DataInfo& data) {
  if constexpr (makes_itself<Net>::value)
    return Net::made(args, data);
  else if constexpr (std::is_constructible_v<Net, const Args&, const DataInfo&>)
    return std::make_shared<Net>(args, data);
  else if constexpr (std::is_constructible_v<Net, const DataInfo&>)
    return std::make_shared<Net>(data);
  else if constexpr (std::is_constructible_v<Net, const Args&>)
    return std::make_shared<Net>(args);
  else
    return std::make_shared<Net>();
}
template <class Net>
constexpr bool can_be_made = makes_itself<Net>::value || std::is_constructible_v<Net, const Args&, const DataInfo&> ||
                             std::is_constructible_v<Net, const DataInfo&> ||
                             std::is_constructible_v<Net, const Args&> || std::is_default_constructible_v<Net>;

// The options of a network, if it declares any. A module may have another member named `options`.
template <class Net>
std::pair<const levin_option*, uint32_t> network_options() {
  if constexpr (has_option_table<Net>::value || has_option_array<Net>::value)
    return options_of<Net>();
  else
    return {nullptr, 0};
}

template <class Net>
constexpr bool is_model = std::is_base_of_v<ModelBase, Net>;

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
