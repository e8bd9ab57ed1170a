// The rules for the networks of supervised tasks (levin/detail/members.hpp), in addition to the rules for models.
#pragma once
#include "levin/torch/network_loss.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

template <class Net>
constexpr bool has_steps = has_training_step<Net>::value || has_validation_step<Net>::value ||
                           has_test_step<Net>::value || has_predict_step<Net>::value;

#define LEVIN_NETWORK_RULES(RULE)                                                                                      \
  RULE((takes_tensors<T, 1>),                                                                                          \
       "the network of a classifier or regressor has a public forward that takes one torch::Tensor, the input")        \
  RULE(                                                                                                                \
      (Made || can_be_made<T>),                                                                                        \
      "a network is made from (const levin::Args&, const levin::DataInfo&), from one of them or from nothing: derive " \
      "from yours a class with such a constructor, which knows data.input_size() and data.classes()")                  \
  RULE(                                                                                                                \
      (is_model<T> || !has_steps<T>),                                                                                  \
      "a network with a step of its own needs log and data: derive it from levin::Model instead of torch::nn::Module")
// Made: the network is an object that exists already.
template <class T, bool Made = false>
constexpr bool network_is_sound() {
  return true LEVIN_NETWORK_RULES(LEVIN_HOLDS);
}
template <class T, bool Made = false>
constexpr void demand_network() {
  LEVIN_NETWORK_RULES(LEVIN_DEMAND)
}

// Returns true for a member that is not a function, such as a tensor with the last loss. It is not an error.
template <class T, class Name>
constexpr bool is_other_object() {
  if constexpr (has_pointer<T, Name>::value) return std::is_member_object_pointer_v<typename Name::template pointer<T>>;
  return false;
}
template <class T>
constexpr bool loss_is_callable() {
  return !declares<T, LossNames, name_loss>() || own_loss<T, void>() != OwnLoss::none ||
         is_other_object<T, name_loss>();
}
template <class T>
constexpr bool prediction_is_callable() {
  return !declares<T, LossNames, name_prediction>() || says_prediction<T> || is_other_object<T, name_prediction>();
}

#define LEVIN_LOSS_RULES(RULE)                                                                                         \
  RULE((Results<Output<T>>::known || says_prediction<T>),                                                              \
       "forward returns no tensor, nor a tuple, pair or vector that begins with one: declare torch::Tensor "           \
       "prediction(const Output&), and torch::Tensor loss(const Output&, const torch::Tensor& target), where Output "  \
       "is "                                                                                                           \
       "what forward returns")                                                                                         \
  RULE(                                                                                                                \
      (Results<Output<T>>::tensors == 1 || says_prediction<T> || has_loss_weights<T>::value ||                         \
       own_loss<T, Loss>() == OwnLoss::whole),                                                                         \
      "forward returns several tensors: declare static constexpr double loss_weights[] = {1, 0.4}, which counts the "  \
      "first 1 and the second 0.4 in the loss of training, or torch::Tensor loss(const Output&, const torch::Tensor& " \
      "target)")                                                                                                       \
  RULE((!declares<T, LossNames, name_loss_weights>() || has_loss_weights<T>::value),                                   \
       "'loss_weights' has to be public")                                                                              \
  RULE((weights_fit<T>()), "'loss_weights' has a weight for what is no tensor of those that forward returns")          \
  RULE((loss_is_callable<T>()),                                                                                        \
       "'loss' is not what Levin calls by that name in a network: declare it as public torch::Tensor loss(const "      \
       "Output&, const torch::Tensor& target), where Output is what forward returns, or give it another name")         \
  RULE((prediction_is_callable<T>()),                                                                                  \
       "'prediction' is not what Levin calls by that name in a network: declare it as public torch::Tensor "           \
       "prediction(const Output&), where Output is what forward returns, or give it another name")
template <class T, class Loss>
constexpr bool loss_is_sound() {
  return true LEVIN_LOSS_RULES(LEVIN_HOLDS);
}
template <class T, class Loss>
constexpr void demand_loss() {
  LEVIN_LOSS_RULES(LEVIN_DEMAND)
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
