#include "core/kernels/product/blocks.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/kernels/common/parallel_for.hpp"

namespace levin::core {
namespace {

constexpr int64_t max_width = 512;           // columns of a block: its panels fit the second cache
constexpr int64_t least_products = 1 << 21;  // multiplications for which another thread is started

MatrixView from(MatrixView a, int64_t row, int64_t column) {
  return {a.data + row * a.row + column * a.column, a.row, a.column};
}

// Calls f(begin, depth) for blocks of nearly equal depth.
template <class F>
void each_block(int64_t k, const F& f) {
  const int64_t count = (k + max_depth - 1) / max_depth;
  for (int64_t i = 0; i < count; ++i) f(k * i / count, k * (i + 1) / count - k * i / count);
}

}  // namespace

PackedMatrix::PackedMatrix(const VectorLoops& loops, MatrixView b, int64_t k, int64_t n)
    : loops_(loops), k_(k), n_(n), panels_(at::empty({panels_size(loops, k, n)}, at::kFloat)) {
  float* panels = panels_.data_ptr<float>();
  each_block(k_, [&](int64_t begin, int64_t depth) {
    loops_.pack(from(b, begin, 0), depth, n_, panels);
    panels += panels_size(loops_, depth, n_);
  });
}

void PackedMatrix::multiply(int64_t m, MatrixView a, const float* base, int64_t base_row, float* out,
                            int64_t out_row) const {
  const float* panels = panels_.data_ptr<float>();
  each_block(k_, [&](int64_t begin, int64_t depth) {
    loops_.multiply(m, n_, depth, from(a, 0, begin), panels, begin == 0 ? base : out, begin == 0 ? base_row : out_row,
                    out, out_row);
    panels += panels_size(loops_, depth, n_);
  });
}

namespace {

// each_rows(multiplications of a row, f) calls f(begin, end) for all rows of a, on one or several threads.
template <class Each>
void multiply_blocks(const VectorLoops& loops, int64_t n, int64_t k, MatrixView a, MatrixView b, const float* base,
                     int64_t base_row, float* out, float* panels, const Each& each_rows) {
  for (int64_t column = 0; column < n; column += max_width) {
    const int64_t width = std::min(n - column, max_width);
    each_block(k, [&](int64_t begin, int64_t depth) {
      loops.pack(from(b, begin, column), depth, width, panels);
      each_rows(width * depth, [&](int64_t row, int64_t end) {
        float* const to = out + row * n + column;
        const float* const of = begin > 0 ? to : base ? base + row * base_row + column : nullptr;
        loops.multiply(end - row, width, depth, from(a, row, begin), panels, of, begin > 0 ? n : base_row, to, n);
      });
    });
  }
}

at::Tensor space_for_panels(const VectorLoops& loops, int64_t n, int64_t k) {
  return at::empty({panels_size(loops, std::min(k, max_depth), std::min(n, max_width))}, at::kFloat);
}
int64_t grain(int64_t products) { return std::max<int64_t>(1, least_products / products); }

constexpr int64_t stack_panels = 4096;  // numbers of panels that are kept on the stack
// Returns true for a product whose panels fit the stack, and which is not worth a thread.
bool is_tiny(const VectorLoops& loops, int64_t m, int64_t n, int64_t k) {
  return k <= max_depth && n <= max_width && panels_size(loops, k, n) <= stack_panels && m * n * k <= least_products;
}
void multiply_tiny(const VectorLoops& loops, int64_t m, int64_t n, int64_t k, MatrixView a, MatrixView b,
                   const float* base, int64_t base_row, float* out) {
  alignas(64) float panels[stack_panels];
  loops.pack(b, k, n, panels);
  loops.multiply(m, n, k, a, panels, base, base_row, out, n);
}

}  // namespace

void multiply(const VectorLoops& loops, int64_t m, int64_t n, int64_t k, MatrixView a, MatrixView b, const float* base,
              int64_t base_row, float* out) {
  if (is_tiny(loops, m, n, k)) return multiply_tiny(loops, m, n, k, a, b, base, base_row, out);
  const at::Tensor space = space_for_panels(loops, n, k);
  multiply_blocks(loops, n, k, a, b, base, base_row, out, space.data_ptr<float>(),
                  [&](int64_t products, const auto& f) { parallel_for(m, grain(products), f); });
}

void multiply_all(const VectorLoops& loops, int64_t count, int64_t m, int64_t n, int64_t k, MatrixView a, MatrixView b,
                  float* out, Distances apart) {
  parallel_for(count, grain(m * n * k), [&](int64_t begin, int64_t end) {
    const at::Tensor space = space_for_panels(loops, n, k);
    for (int64_t i = begin; i < end; ++i)
      multiply_blocks(loops, n, k, {a.data + i * apart.a, a.row, a.column}, {b.data + i * apart.b, b.row, b.column},
                      nullptr, 0, out + i * apart.out, space.data_ptr<float>(),
                      [&](int64_t, const auto& f) { f(0, m); });
  });
}

}  // namespace levin::core
