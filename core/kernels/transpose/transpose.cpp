#include "core/kernels/transpose/transpose.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/t_native.h>

#include <array>

#include "core/kernels/common/plain_tensor.hpp"

namespace levin::core {
namespace {

using at::Tensor;

// LibTorch reaches the same view by two more operators.
Tensor transposed(const Tensor& matrix) {
  if (!is_cpu_float(matrix) || matrix.dim() != 2) return at::native::t(matrix);
  Tensor out = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(matrix.storage()),
                                                        matrix.key_set(), matrix.dtype());
  const std::array<int64_t, 2> sizes = {matrix.size(1), matrix.size(0)};
  const std::array<int64_t, 2> strides = {matrix.stride(1), matrix.stride(0)};
  out.unsafeGetTensorImpl()->set_storage_offset(matrix.storage_offset());
  out.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return out;
}

}  // namespace

void add_transpose(torch::Library& library) { library.impl("t", TORCH_FN(transposed)); }

}  // namespace levin::core
