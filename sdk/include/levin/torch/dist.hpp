// levin::TorchDist: levin::Dist with tensors of LibTorch.
#pragma once
#include <ATen/core/Tensor.h>

#include <utility>
#include <vector>

#include "levin/dist.hpp"
#include "levin/torch/tensor.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The functions of Dist for tensors of LibTorch, with the same further arguments.
class TorchDist : public Dist {
 public:
  using Dist::Dist;

  template <class... Rest>
  void all_reduce(const at::Tensor& tensor, Rest&&... rest) const {
    Dist::all_reduce(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work all_reduce_async(const at::Tensor& tensor, Rest&&... rest) const {
    return Dist::all_reduce_async(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void reduce(const at::Tensor& tensor, Rest&&... rest) const {
    Dist::reduce(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work reduce_async(const at::Tensor& tensor, Rest&&... rest) const {
    return Dist::reduce_async(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work reduce_scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, Rest&&... rest) const {
    return Dist::reduce_scatter_async(to_handle(out), handles(parts), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, Rest&&... rest) const {
    Dist::reduce_scatter(to_handle(out), handles(parts), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void broadcast(const at::Tensor& tensor, Rest&&... rest) const {
    Dist::broadcast(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work broadcast_async(const at::Tensor& tensor, Rest&&... rest) const {
    return Dist::broadcast_async(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, Rest&&... rest) const {
    Dist::scatter(to_handle(out), handles(parts), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts, Rest&&... rest) const {
    return Dist::scatter_async(to_handle(out), handles(parts), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  std::vector<at::Tensor> all_gather(const at::Tensor& tensor, Rest&&... rest) const {
    return tensors(Dist::all_gather(to_handle(tensor), std::forward<Rest>(rest)...));
  }
  template <class... Rest>
  Work all_gather_async(const at::Tensor& tensor, Rest&&... rest) const {
    return Dist::all_gather_async(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  std::vector<at::Tensor> gather(const at::Tensor& tensor, Rest&&... rest) const {
    return tensors(Dist::gather(to_handle(tensor), std::forward<Rest>(rest)...));
  }
  template <class... Rest>
  Work gather_async(const at::Tensor& tensor, Rest&&... rest) const {
    return Dist::gather_async(to_handle(tensor), std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void send(const at::Tensor& tensor, uint32_t to, Rest&&... rest) const {
    Dist::send(to_handle(tensor), to, std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work isend(const at::Tensor& tensor, uint32_t to, Rest&&... rest) const {
    return Dist::isend(to_handle(tensor), to, std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void recv(const at::Tensor& tensor, uint32_t from, Rest&&... rest) const {
    Dist::recv(to_handle(tensor), from, std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  Work irecv(const at::Tensor& tensor, uint32_t from, Rest&&... rest) const {
    return Dist::irecv(to_handle(tensor), from, std::forward<Rest>(rest)...);
  }

  // Returns Work::tensors() as tensors of LibTorch; call it after wait().
  static std::vector<at::Tensor> tensors(const TensorList& list) {
    std::vector<at::Tensor> out;
    for (levin_tensor* one : list.handles()) out.push_back(to_torch(one));
    return out;
  }

 private:
  static std::vector<levin_tensor*> handles(const std::vector<at::Tensor>& tensors) {
    std::vector<levin_tensor*> out;
    for (const at::Tensor& one : tensors) out.push_back(to_handle(one));
    return out;
  }
};

}  // namespace levin
#pragma GCC visibility pop
