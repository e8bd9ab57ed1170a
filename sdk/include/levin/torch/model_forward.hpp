// levin_model.forward: calls the network of a model with one to four tensors and lists the tensors of its result.
#pragma once
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/torch/model_parts.hpp"
#include "levin/torch/model_step.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

LEVIN_MEMBER_NAME(prediction)

template <class Net, class Places, class = void>
struct takes_inputs : std::false_type {};
template <class Net, size_t... I>
struct takes_inputs<
    Net, std::index_sequence<I...>,
    std::void_t<decltype(std::declval<Net&>().forward((static_cast<void>(I), std::declval<torch::Tensor&>())...))>>
    : std::true_type {};
template <class Net, size_t N>
constexpr bool takes_tensors = takes_inputs<Net, std::make_index_sequence<N>>::value;

// True if the tensors of a result can be listed: a tensor, or a tuple, pair or vector of these.
template <class R>
struct is_listable : std::is_convertible<R, torch::Tensor> {};
template <class R>
struct is_listable<std::vector<R>> : is_listable<R> {};
template <class... R>
struct is_listable<std::tuple<R...>> : std::conjunction<is_listable<R>...> {};
template <class A, class B>
struct is_listable<std::pair<A, B>> : std::conjunction<is_listable<A>, is_listable<B>> {};

template <class R>
void list_tensors(const std::vector<R>& result, std::vector<torch::Tensor>& out);
template <class... R>
void list_tensors(const std::tuple<R...>& result, std::vector<torch::Tensor>& out);
template <class A, class B>
void list_tensors(const std::pair<A, B>& result, std::vector<torch::Tensor>& out);
inline void list_tensors(const torch::Tensor& result, std::vector<torch::Tensor>& out) {
  if (result.defined()) out.push_back(result);
}
template <class R>
void list_tensors(const std::vector<R>& result, std::vector<torch::Tensor>& out) {
  for (const R& part : result) list_tensors(part, out);
}
template <class... R>
void list_tensors(const std::tuple<R...>& result, std::vector<torch::Tensor>& out) {
  std::apply([&out](const auto&... part) { (list_tensors(part, out), ...); }, result);
}
template <class A, class B>
void list_tensors(const std::pair<A, B>& result, std::vector<torch::Tensor>& out) {
  list_tensors(result.first, out);
  list_tensors(result.second, out);
}

// Returns the tensors of a result. For a class that Levin does not know they come from the network's prediction().
template <class Net, class R>
std::vector<torch::Tensor> listed(Net& net, R&& result) {
  std::vector<torch::Tensor> out;
  if constexpr (can_call<Net, name_prediction, Takes<const std::decay_t<R>&>>::value)
    list_tensors(net.prediction(result), out);
  else
    list_tensors(result, out);
  return out;
}

template <class Net, size_t... I>
decltype(auto) forward_of(Net& net, std::vector<torch::Tensor>& inputs, std::index_sequence<I...>) {
  return net.forward(inputs[I]...);
}
template <class Net, size_t N>
constexpr bool gives_tensors() {
  if constexpr (takes_tensors<Net, N>) {
    using Places = std::make_index_sequence<N>;
    using R =
        std::decay_t<decltype(forward_of(std::declval<Net&>(), std::declval<std::vector<torch::Tensor>&>(), Places()))>;
    return is_listable<R>::value || can_call<Net, name_prediction, Takes<const R&>>::value;
  }
  return false;
}
template <class Net>
constexpr bool has_forward() {
  return gives_tensors<Net, 1>() || gives_tensors<Net, 2>() || gives_tensors<Net, 3>() || gives_tensors<Net, 4>();
}

// Calls forward if it takes N tensors and there are N inputs. Returns false otherwise.
template <size_t N, class Net>
bool forward_with(Net& net, std::vector<torch::Tensor>& inputs, std::vector<torch::Tensor>& out) {
  if constexpr (gives_tensors<Net, N>()) {
    if (inputs.size() != N) return false;
    out = listed(net, forward_of(net, inputs, std::make_index_sequence<N>()));
    return true;
  }
  return false;
}

template <class H>
levin_status forward_model(void* self, levin_run* run, levin_tensor* const* in, uint32_t n,
                           const levin_step_out* out) noexcept {
  return with_object<H>(self, [=](auto& object) {
    object.set_run(run);
    auto& net = network_of(object);
    std::vector<torch::Tensor> inputs, outputs;
    for (uint32_t i = 0; i < n; ++i) inputs.push_back(to_torch(in[i]));
    if (!forward_with<1>(net, inputs, outputs) && !forward_with<2>(net, inputs, outputs) &&
        !forward_with<3>(net, inputs, outputs) && !forward_with<4>(net, inputs, outputs))
      throw Error(LEVIN_E_INVALID, "forward does not take " + std::to_string(n) + " tensors");
    for (const torch::Tensor& tensor : outputs) check(out->put(out, "output", to_handle(tensor)), "forward");
  });
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
