// aten::batch_norm is composed of other operators, so a kernel for the autograd keys receives every call: from C++
// modules, TorchScript and the services for plugins. The first scope installs it; a run without a scope has LibTorch's
// own kernels.
#include "core/distributed/batch_norm/sync_batch_norm.hpp"

#include <ATen/ops/_batch_norm_impl_index_compositeimplicitautograd_dispatch.h>
#include <ATen/ops/batch_norm_compositeimplicitautograd_dispatch.h>
#include <ATen/ops/instance_norm_compositeimplicitautograd_dispatch.h>
#include <torch/library.h>

#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace levin::core {
namespace {

using MaybeTensor = c10::optional<at::Tensor>;

thread_local std::shared_ptr<const BatchNormRanks> active_ranks;

at::Tensor defined_or_not(const MaybeTensor& tensor) { return tensor.value_or(at::Tensor()); }

bool is_over_ranks(const at::Tensor& input, bool training) {
  return active_ranks && training && input.dim() >= 2 && at::isFloatingType(input.scalar_type());
}

at::Tensor batch_norm(const at::Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                      const MaybeTensor& running_mean, const MaybeTensor& running_var, bool training, double momentum,
                      double eps, bool cudnn_enabled) {
  if (is_over_ranks(input, training))
    return sync_batch_norm(input, weight, bias,
                           {defined_or_not(running_mean), defined_or_not(running_var), momentum, eps, active_ranks});
  return at::compositeimplicitautograd::batch_norm(input, weight, bias, running_mean, running_var, training, momentum,
                                                   eps, cudnn_enabled);
}

// Instance norm calls batch norm with one channel for each row and channel. Rows of different ranks must not be mixed.
at::Tensor instance_norm(const at::Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                         const MaybeTensor& running_mean, const MaybeTensor& running_var, bool use_input_stats,
                         double momentum, double eps, bool cudnn_enabled) {
  const SyncBatchNormScope off(nullptr);
  return at::compositeimplicitautograd::instance_norm(input, weight, bias, running_mean, running_var, use_input_stats,
                                                      momentum, eps, cudnn_enabled);
}

// TorchScript's optimizer replaces batch norm by this operator where it computes gradients itself.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, int64_t> batch_norm_impl_index(
    const at::Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& running_mean,
    const MaybeTensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled) {
  TORCH_CHECK(
      !is_over_ranks(input, training),
      "sync_batchnorm: TorchScript has replaced a batch norm by one over the rows of this process alone; call "
      "torch::jit::setGraphExecutorOptimize(false) before the model's first step, or switch sync_batchnorm off");
  return at::compositeimplicitautograd::_batch_norm_impl_index(input, weight, bias, running_mean, running_var, training,
                                                               momentum, eps, cudnn_enabled);
}

// The dispatch keys exist in every LibTorch, also without CUDA. The registrations stay until the process ends.
void install() {
  static auto* const kept = new std::vector<torch::Library>();
  for (const auto key : {c10::DispatchKey::AutogradCPU, c10::DispatchKey::AutogradCUDA}) {
    torch::Library& library = kept->emplace_back(torch::Library::IMPL, "aten", key, __FILE__, __LINE__);
    library.impl("batch_norm", TORCH_FN(batch_norm));
    library.impl("_batch_norm_impl_index", TORCH_FN(batch_norm_impl_index));
    library.impl("instance_norm", TORCH_FN(instance_norm));
  }
}

}  // namespace

SyncBatchNormScope::SyncBatchNormScope(std::shared_ptr<const BatchNormRanks> ranks) {
  static std::once_flag installed;
  if (ranks) std::call_once(installed, install);
  before_ = std::exchange(active_ranks, std::move(ranks));
}

SyncBatchNormScope::~SyncBatchNormScope() { active_ranks = std::move(before_); }

}  // namespace levin::core
