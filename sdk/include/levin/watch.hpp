// levin::watch: calls the forward of a module and records sizes for the model summary.
//
//   torch::Tensor forward(torch::Tensor x) { return levin::watch(out, torch::relu(levin::watch(in, x))); }
//
// LibTorch's modules have no forward hooks. watch(module, inputs...) is module->forward(inputs...). During a model
// summary it also records the sizes of the inputs and the result, and of each element of a torch::nn::Sequential.
#pragma once
#include <torch/nn/module.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch {
namespace nn {
class SequentialImpl;
}
}  // namespace torch

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Sizes in Lightning's format: "[1, 28, 28]", a list of these for several tensors, and "?" for other types.
struct SizeText {
  static std::string of(const at::Tensor& tensor) {
    if (!tensor.defined()) return "?";
    std::vector<std::string> sizes;
    for (const int64_t size : tensor.sizes()) sizes.push_back(std::to_string(size));
    return list(sizes);
  }
  template <class... T>
  static std::string of(const std::tuple<T...>& items) {
    return std::apply([](const auto&... item) { return list({of(item)...}); }, items);
  }
  template <class T>
  static std::string of(const std::vector<T>& items) {
    std::vector<std::string> texts;
    for (const T& item : items) texts.push_back(of(item));
    return list(texts);
  }
  // The value passed from one element of a Sequential to the next.
  static std::string of(torch::nn::AnyValue& value) {
    using Pair = std::tuple<at::Tensor, at::Tensor>;
    if (const auto* tensor = value.try_get<at::Tensor>()) return of(*tensor);
    if (const auto* pair = value.try_get<Pair>()) return of(*pair);
    if (const auto* lstm = value.try_get<std::tuple<at::Tensor, Pair>>()) return of(*lstm);
    return "?";
  }
  template <class T>
  static std::string of(const T&) {
    return "?";
  }
  // The arguments of a call as a list; a single argument without brackets.
  template <class... In>
  static std::string of_inputs(const In&... inputs) {
    if constexpr (sizeof...(In) == 1)
      return (of(inputs), ...);
    else
      return list({of(inputs)...});
  }

 private:
  static std::string list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
    return "[" + out + "]";
  }
};

struct Sizes {
  std::string in, out;
};

// While an object exists, levin::watch on this thread records sizes in it. Nested objects: the newest one records.
class SizeWatch {
 public:
  SizeWatch() : outer_(current()) { current() = this; }
  ~SizeWatch() { current() = outer_; }
  SizeWatch(const SizeWatch&) = delete;
  SizeWatch& operator=(const SizeWatch&) = delete;

  static SizeWatch*& current() {
    static thread_local SizeWatch* newest = nullptr;
    return newest;
  }
  // Records the first call of a module only.
  void note(const torch::nn::Module& module, const std::string& in, const std::string& out) {
    seen_.emplace(&module, Sizes{in, out});
  }
  // Returns the sizes of a module, or nullptr if it was not called through watch.
  const Sizes* of(const torch::nn::Module& module) const {
    const auto found = seen_.find(&module);
    return found == seen_.end() ? nullptr : &found->second;
  }

 private:
  SizeWatch* outer_;
  std::unordered_map<const torch::nn::Module*, Sizes> seen_;
};

// Returns the module of a ModuleHolder or shared_ptr, or the module itself.
template <class M>
auto& watched_module(M& module) {
  if constexpr (std::is_base_of_v<torch::nn::Module, M>)
    return module;
  else
    return *module;
}

// Does the same as SequentialImpl::forward and records the sizes of each element. An empty Sequential is passed to
// forward, which throws.
template <class S, class... In>
at::Tensor watch_elements(SizeWatch& on, S& sequential, In&&... inputs) {
  if (sequential.is_empty()) return sequential.forward(std::forward<In>(inputs)...);
  auto element = sequential.begin();
  std::string in = SizeText::of_inputs(inputs...);
  torch::nn::AnyValue value = element->any_forward(std::forward<In>(inputs)...);
  for (;;) {
    std::string out = SizeText::of(value);
    on.note(*element->ptr(), in, out);
    if (++element == sequential.end()) return value.template get<at::Tensor>();
    in = std::move(out);
    value = element->any_forward(std::move(value));
  }
}

template <class M, class... In>
auto watch_forward(SizeWatch& on, M& module, In&&... inputs) {
  const std::string in = SizeText::of_inputs(inputs...);
  auto result = [&] {
    if constexpr (std::is_same_v<M, torch::nn::SequentialImpl>)
      return watch_elements(on, module, std::forward<In>(inputs)...);
    else
      return module.forward(std::forward<In>(inputs)...);
  }();
  on.note(module, in, SizeText::of(result));
  return result;
}

}  // namespace detail

// Returns the result of the module's forward. module: a torch::nn::ModuleHolder such as torch::nn::Linear, a
// shared_ptr, or a module. The last element of a Sequential must return a tensor.
template <class M, class... In>
auto watch(M&& module, In&&... inputs) {
  auto& watched = detail::watched_module(module);
  if (detail::SizeWatch* on = detail::SizeWatch::current())
    return detail::watch_forward(*on, watched, std::forward<In>(inputs)...);
  return watched.forward(std::forward<In>(inputs)...);
}

}  // namespace levin
#pragma GCC visibility pop
