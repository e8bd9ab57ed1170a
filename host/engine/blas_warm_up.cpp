#include "host/engine/tasks.hpp"

#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <sys/resource.h>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr size_t room = size_t{64} << 20;

// Large enough that every thread takes part and allocates its buffer.
void multiply() {
  const at::Tensor ones = at::full({256, 256}, 1.0f);
  if (at::mm(ones, ones)[0][0].item<float>() != 256) throw Error(ErrorKind::internal, "LibTorch multiplies wrongly");
}

}  // namespace

void warm_up_blas() {
  const at::Tensor more = at::full({static_cast<int64_t>(room)}, 1, at::kByte);
  multiply();
}

void multiply_under_limit() {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY) multiply();
}

}  // namespace levin::core
