// Products of matrices of any size, in blocks and on several threads.
#pragma once
#include <ATen/core/Tensor.h>

#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {

// A matrix b [k, n], packed once for several products. `loops` must outlive it.
class PackedMatrix {
 public:
  PackedMatrix(const VectorLoops& loops, MatrixView b, int64_t k, int64_t n);
  // out [m, n] = a [m, k] * b + base, as in VectorLoops::multiply. Runs on the calling thread.
  void multiply(int64_t m, MatrixView a, const float* base, int64_t base_row, float* out, int64_t out_row) const;

 private:
  const VectorLoops& loops_;
  int64_t k_, n_;
  at::Tensor panels_;
};

// out [m, n] = a [m, k] * b [k, n] + base, on LibTorch's threads. out is contiguous.
void multiply(const VectorLoops& loops, int64_t m, int64_t n, int64_t k, MatrixView a, MatrixView b, const float* base,
              int64_t base_row, float* out);

// `count` products without base. The matrices are so many numbers apart.
struct Distances {
  int64_t a, b, out;
};
void multiply_all(const VectorLoops& loops, int64_t count, int64_t m, int64_t n, int64_t k, MatrixView a, MatrixView b,
                  float* out, Distances apart);

// Returns the view of a matrix of floats.
inline MatrixView matrix_of(const at::Tensor& matrix) {
  return {matrix.data_ptr<float>(), matrix.stride(-2), matrix.stride(-1)};
}

}  // namespace levin::core
