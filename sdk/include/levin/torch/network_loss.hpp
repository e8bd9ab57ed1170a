// The output of a network, its prediction and its loss.
//
// forward may return a tensor; a tuple, pair or vector, whose first tensor is the prediction; or any class, for which
// the network declares torch::Tensor prediction(const Output&). The loss is the first of these that exists:
//   Loss()(output, target)                                            Loss: second template argument of the task
//   torch::Tensor loss(const Output&, const torch::Tensor& target)    member of the network; gets the whole output
//   torch::Tensor loss(const Output&, const levin::Batch&)            the same, with the batch
//   the loss named by --model.loss, of the prediction.
// With static constexpr double loss_weights[] = {1, 0.4} the training loss is the weighted sum of the losses of the
// output's tensors.
#pragma once
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/torch/network.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

LEVIN_MEMBER_NAME(loss)
struct LossNames {
  int loss, loss_weights, prediction;
};
LEVIN_DETECT(loss_weights)

template <class Net>
using Output = std::decay_t<decltype(std::declval<Net&>().forward(std::declval<torch::Tensor&>()))>;
template <class Net>
constexpr bool says_prediction = can_call<Net, name_prediction, Takes<const Output<Net>&>>::value;

// Returns the first tensor of a result, also of nested results.
inline const torch::Tensor& first_tensor(const torch::Tensor& result) { return result; }
template <class R>
const torch::Tensor& first_tensor(const std::vector<R>& result);
template <class A, class B>
const torch::Tensor& first_tensor(const std::pair<A, B>& result);
template <class... R>
const torch::Tensor& first_tensor(const std::tuple<R...>& result) {
  return first_tensor(std::get<0>(result));
}
template <class A, class B>
const torch::Tensor& first_tensor(const std::pair<A, B>& result) {
  return first_tensor(result.first);
}
template <class R>
const torch::Tensor& first_tensor(const std::vector<R>& result) {
  if (result.empty()) throw Error(LEVIN_E_INVALID, "forward returned no tensor");
  return first_tensor(result.front());
}

inline std::string shape_text(const torch::Tensor& tensor) {
  std::string text = "[";
  for (const int64_t d : tensor.sizes()) text += (text.size() > 1 ? ", " : "") + std::to_string(d);
  return text + "]";
}

// Throws Error unless the scores have one entry per class in the second dimension, as the losses named by options need.
inline void check_scores(const torch::Tensor& scores, int64_t classes) {
  if (!scores.defined()) throw Error(LEVIN_E_INVALID, "forward returned an undefined tensor");
  if (scores.dim() >= 2 && (classes <= 0 || scores.size(1) == classes)) return;
  throw Error(LEVIN_E_INVALID, "forward returned " + shape_text(scores) + ", and a score for each of " +
                                   (classes > 0 ? std::to_string(classes) + " classes" : std::string("the classes")) +
                                   " is wanted: [rows, classes]");
}

// Throws Error unless both are of whole rows, or both of the rows' elements, such as pixels.
inline void check_target(const torch::Tensor& scores, const torch::Tensor& target) {
  if (target.dim() + 1 == scores.dim() || target.sizes() == scores.sizes()) return;
  throw Error(LEVIN_E_INVALID,
              "forward returned scores " + shape_text(scores) + ", and the target of the data is " +
                  shape_text(target) +
                  (target.dim() < 2 ? ", one class a row: this network needs a class for each pixel or token"
                                    : ", several classes a row: this network needs one class a row"));
}

// Returns the loss. Throws Error if it is not a single number.
inline const torch::Tensor& one_number(const torch::Tensor& loss) {
  if (!loss.defined()) throw Error(LEVIN_E_INVALID, "the loss of the network is an undefined tensor");
  if (loss.numel() != 1)
    throw Error(LEVIN_E_INVALID, "the loss of the network is " + shape_text(loss) +
                                     ", and has to be one number: reduce it, as by mean()");
  return loss;
}

// known: first_tensor takes the result. tensors: number of tensors on its top level; 2 for a vector.
template <class R>
struct Results {
  static constexpr bool known = std::is_convertible_v<R, torch::Tensor>;
  static constexpr size_t tensors = 1;
};
template <class R>
struct Results<std::vector<R>> {
  static constexpr bool known = Results<R>::known;
  static constexpr size_t tensors = 2;
};
template <class R, class... More>
struct Results<std::tuple<R, More...>> {
  static constexpr bool known = Results<R>::known;
  static constexpr size_t tensors = 1 + (0 + ... + (std::is_convertible_v<More, torch::Tensor> ? 1 : 0));
};
template <class A, class B>
struct Results<std::pair<A, B>> : Results<std::tuple<A, B>> {};

// The argument of a custom loss: the whole output of forward, or each tensor. none = no custom loss.
enum class OwnLoss { none, each, whole };
template <class Net, class Loss>
constexpr OwnLoss own_loss() {
  using Out = const Output<Net>&;
  using Target = const torch::Tensor&;
  if constexpr (!std::is_void_v<Loss>)
    return std::is_invocable_v<Loss&, Out, Target> ? OwnLoss::whole : OwnLoss::each;
  else if constexpr (can_call<Net, name_loss, Takes<Out, Target>>::value ||
                     can_call<Net, name_loss, Takes<Out, const Batch&>>::value)
    return OwnLoss::whole;
  else if constexpr (can_call<Net, name_loss, Takes<Target, Target>>::value)
    return OwnLoss::each;
  else
    return OwnLoss::none;
}

// The weighted sum of the losses of a result's tensors. Undefined tensors, as in evaluation, are left out.
class WeightedLoss {
 public:
  template <class F>
  void add(double weight, const torch::Tensor& tensor, F& loss) {
    if (!tensor.defined() || weight == 0) return;
    const torch::Tensor term = loss(tensor);
    const torch::Tensor weighted = weight == 1 ? term : term * weight;
    sum_ = sum_.defined() ? sum_ + weighted : weighted;
  }
  template <class F, class Tuple, size_t... I>
  void add_all(const double* weights, const Tuple& result, F& loss, std::index_sequence<I...>) {
    (add(weights[I], std::get<I>(result), loss), ...);
  }
  const torch::Tensor& sum() const { return sum_; }

 private:
  torch::Tensor sum_;
};

template <class Net, class R, class F>
torch::Tensor weighted_loss(const std::vector<R>& result, F&& loss) {
  WeightedLoss sum;
  constexpr size_t n = std::size(Net::loss_weights);
  if (result.size() < n)
    throw Error(LEVIN_E_INVALID, "loss_weights has " + std::to_string(n) + " weights, and forward returned " +
                                     std::to_string(result.size()) + " tensors");
  for (size_t i = 0; i < n; ++i) sum.add(Net::loss_weights[i], result[i], loss);
  return sum.sum();
}
template <class Net, class Tuple, class F>
torch::Tensor weighted_loss(const Tuple& result, F&& loss) {
  WeightedLoss sum;
  sum.add_all(Net::loss_weights, result, loss, std::make_index_sequence<std::size(Net::loss_weights)>());
  return sum.sum();
}

template <class R, size_t N, class = void>
struct takes_weights : std::false_type {};
template <class R, size_t N>
struct takes_weights<std::vector<R>, N> : std::is_convertible<R, torch::Tensor> {};
template <class R, size_t N>
struct takes_weights<R, N, std::enable_if_t<(N <= std::tuple_size<R>::value)>> {
  template <size_t... I>
  static constexpr bool all(std::index_sequence<I...>) {
    return (std::is_convertible_v<std::tuple_element_t<I, R>, torch::Tensor> && ...);
  }
  static constexpr bool value = all(std::make_index_sequence<N>());
};
template <class Net>
constexpr bool weights_fit() {
  if constexpr (has_loss_weights<Net>::value) return takes_weights<Output<Net>, std::size(Net::loss_weights)>::value;
  return true;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
