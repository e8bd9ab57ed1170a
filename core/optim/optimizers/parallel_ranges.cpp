#include "core/optim/optimizers/parallel_ranges.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace levin::core {
namespace {

// Waking the threads takes some microseconds, about the time for this many elements.
constexpr int64_t least_elements = 1 << 17;

}  // namespace

// at::parallel_for is a template that runs serially unless this file is compiled with -fopenmp, which would bring a
// second OpenMP beside LibTorch's. TensorIterator's loop is compiled in LibTorch, so this loops over a tensor with one
// element per chunk instead.
void parallel_ranges(int64_t total, const std::function<void(int64_t begin, int64_t end)>& run) {
  if (total < least_elements || at::get_num_threads() == 1 || at::in_parallel_region()) return run(0, total);
  const at::Tensor chunks = at::empty({(total + range_grain - 1) / range_grain}, at::kByte);
  const char* first = static_cast<const char*>(chunks.data_ptr());
  at::TensorIterator iterator = at::TensorIterator::nullary_op(const_cast<at::Tensor&>(chunks));
  const auto loop = [&](char** data, const int64_t*, int64_t size, int64_t) {
    const int64_t begin = (data[0] - first) * range_grain;
    run(begin, std::min(total, begin + size * range_grain));
  };
  iterator.for_each(at::TensorIteratorBase::loop2d_t(loop), 1);
}

}  // namespace levin::core
