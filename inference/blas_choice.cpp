#include "core/kernels/blas_choice.hpp"

#include "inference/plain_errors.hpp"
#include "sdk/include/levin/inference.hpp"

namespace levin {

void choose_blas_kernels() {
  with_plain_errors([] { core::choose_blas_kernels(true); });
}

}  // namespace levin
