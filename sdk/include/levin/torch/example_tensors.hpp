// Converts the batches of torch::data datasets to one tensor per field.
#pragma once
#include <torch/data/example.h>
#include <torch/data/transforms/stack.h>

#include <utility>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

using TorchExample = torch::data::Example<at::Tensor, at::Tensor>;
using TorchUnlabelled = torch::data::Example<at::Tensor, torch::data::example::NoTarget>;

inline std::vector<at::Tensor> tensors_of(TorchExample batch) {
  return {std::move(batch.data), std::move(batch.target)};
}
inline std::vector<at::Tensor> tensors_of(TorchUnlabelled batch) { return {std::move(batch.data)}; }
inline std::vector<at::Tensor> tensors_of(std::vector<at::Tensor> batch) { return batch; }
// For datasets without a collation, whose batch is a list of examples.
inline std::vector<at::Tensor> tensors_of(std::vector<TorchExample> batch) {
  return tensors_of(torch::data::transforms::Stack<TorchExample>().apply_batch(std::move(batch)));
}
inline std::vector<at::Tensor> tensors_of(std::vector<TorchUnlabelled> batch) {
  return tensors_of(torch::data::transforms::Stack<TorchUnlabelled>().apply_batch(std::move(batch)));
}

template <class Batch, class = void>
struct has_tensors_of : std::false_type {};
template <class Batch>
struct has_tensors_of<Batch, std::void_t<decltype(tensors_of(std::declval<Batch>()))>> : std::true_type {};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
