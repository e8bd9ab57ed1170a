#include "core/kernels/product/product.hpp"

#include <ATen/ops/addmm_cpu_dispatch.h>
#include <ATen/ops/bmm_cpu_dispatch.h>
#include <ATen/ops/mm_cpu_dispatch.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <vector>

#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/product/blocks.hpp"

namespace levin::core {
namespace {

using at::Tensor;

// Where OpenBLAS is slow: one size is small. It is fast for deep products, and for vectors with large matrices.
constexpr int64_t smallest_size = 64, least_height = 4, small_matrix = 4096, deepest_product = 512,
                  most_products = int64_t{1} << 28;

bool has_unit_stride(const Tensor& matrix, int64_t dimensions) {
  return is_cpu_float(matrix) && matrix.dim() == dimensions && matrix.numel() > 0 &&
         (matrix.stride(-1) == 1 || matrix.stride(-2) == 1);
}
// Returns true for matrices that these loops multiply faster.
bool is_small_product(const Tensor& a, const Tensor& b, int64_t dimensions) {
  if (!has_unit_stride(a, dimensions) || !has_unit_stride(b, dimensions) || a.size(-1) != b.size(-2)) return false;
  const int64_t m = a.size(-2), k = a.size(-1), n = b.size(-1);
  return std::min({m, n, k}) <= smallest_size && (m >= least_height || n * k <= small_matrix) && k <= deepest_product &&
         m * n * k <= most_products;
}

Tensor small_mm(const Tensor& a, const Tensor& b) {
  if (!is_small_product(a, b, 2)) return at::cpu::mm(a, b);
  RECORD_FUNCTION("levin::mm", std::vector<c10::IValue>({a, b}));
  Tensor out = empty_float({a.size(0), b.size(1)});
  multiply(*vector_loops(), a.size(0), b.size(1), a.size(1), matrix_of(a), matrix_of(b), nullptr, 0,
           out.data_ptr<float>());
  return out;
}

Tensor small_addmm(const Tensor& bias, const Tensor& a, const Tensor& b, const at::Scalar& beta,
                   const at::Scalar& alpha) {
  const bool plain = beta.equal(1) && alpha.equal(1) && is_small_product(a, b, 2) && is_plain_float(bias) &&
                     bias.dim() == 1 && bias.size(0) == b.size(1);
  if (!plain) return at::cpu::addmm(bias, a, b, beta, alpha);
  RECORD_FUNCTION("levin::addmm", std::vector<c10::IValue>({a, b}));
  Tensor out = empty_float({a.size(0), b.size(1)});
  multiply(*vector_loops(), a.size(0), b.size(1), a.size(1), matrix_of(a), matrix_of(b), bias.data_ptr<float>(), 0,
           out.data_ptr<float>());
  return out;
}

Tensor small_bmm(const Tensor& a, const Tensor& b) {
  if (!is_small_product(a, b, 3) || a.size(0) != b.size(0)) return at::cpu::bmm(a, b);
  RECORD_FUNCTION("levin::bmm", std::vector<c10::IValue>({a, b}));
  const int64_t m = a.size(1), n = b.size(2), k = a.size(2);
  Tensor out = empty_float({a.size(0), m, n});
  multiply_all(*vector_loops(), a.size(0), m, n, k, matrix_of(a), matrix_of(b), out.data_ptr<float>(),
               {a.stride(0), b.stride(0), m * n});
  return out;
}

}  // namespace

void add_product(torch::Library& library) {
  library.impl("mm", TORCH_FN(small_mm));
  library.impl("addmm", TORCH_FN(small_addmm));
  library.impl("bmm", TORCH_FN(small_bmm));
}

}  // namespace levin::core
