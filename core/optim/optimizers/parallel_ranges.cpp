#include "core/optim/optimizers/parallel_ranges.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace levin::core {
namespace {

// Waking the threads costs some microseconds, the time of about so many elements.
constexpr int64_t kWorthIt = 1 << 17;
constexpr int64_t kChunk = 1 << 15;

}  // namespace

// at::parallel_for is a template that is serial unless its user is compiled with -fopenmp, which would bring a second
// OpenMP beside the one inside a LibTorch of its own. TensorIterator's loop over a tensor of chunks is compiled there.
void parallel_ranges(int64_t total, const std::function<void(int64_t begin, int64_t end)>& run) {
  if (total < kWorthIt || at::get_num_threads() == 1 || at::in_parallel_region()) return run(0, total);
  const at::Tensor chunks = at::empty({(total + kChunk - 1) / kChunk}, at::kByte);
  const char* first = static_cast<const char*>(chunks.data_ptr());
  at::TensorIterator iterator = at::TensorIterator::nullary_op(const_cast<at::Tensor&>(chunks));
  const auto loop = [&](char** data, const int64_t*, int64_t size, int64_t) {
    const int64_t begin = (data[0] - first) * kChunk;
    run(begin, std::min(total, begin + size * kChunk));
  };
  iterator.for_each(at::TensorIteratorBase::loop2d_t(loop), 1);
}

}  // namespace levin::core
