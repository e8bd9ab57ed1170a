#include "core/kernels/common/parallel_for.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace levin::core {

// The loop of TensorIterator is compiled in LibTorch. It loops over a tensor with one element for each range.
void parallel_for(int64_t total, int64_t grain, c10::function_ref<void(int64_t, int64_t)> f) {
  if (total <= 0) return;
  const int64_t threads = total > grain && !at::in_parallel_region() ? at::get_num_threads() : 1;
  const int64_t most = std::min(threads, (total + grain - 1) / std::max<int64_t>(1, grain));
  if (most <= 1) return f(0, total);
  const int64_t range = (total + most - 1) / most, ranges = (total + range - 1) / range;
  const at::Tensor numbered = at::empty({ranges}, at::kByte);
  const char* const first = static_cast<const char*>(numbered.data_ptr());
  at::TensorIterator iterator = at::TensorIterator::nullary_op(const_cast<at::Tensor&>(numbered));
  const auto loop = [&](char** data, const int64_t*, int64_t size, int64_t) {
    const int64_t at = data[0] - first;
    f(at * range, std::min(total, (at + size) * range));
  };
  iterator.for_each(at::TensorIteratorBase::loop2d_t(loop), 1);
}

}  // namespace levin::core
