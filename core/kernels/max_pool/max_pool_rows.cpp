// Plain loops that the compiler vectorizes (-O3, without trapping arithmetic).
#include "core/kernels/max_pool/max_pool_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

constexpr int64_t lanes = 16;
constexpr float infinity = std::numeric_limits<float>::infinity();

// The first element of a window that is within the input.
int64_t first_element(const PoolAxis& axis, int64_t window) {
  const int64_t begin = window * axis.stride - axis.padding;
  return begin >= 0 ? begin : begin + (-begin + axis.dilation - 1) / axis.dilation * axis.dilation;
}

// A row of windows: its n results (a multiple of 16) and their positions.
struct Results {
  float* best;
  int32_t* place;
  int64_t n;
};

LEVIN_INLINE void begin(const Results& of, const int32_t* __restrict first, int32_t position) {
  float* __restrict best = of.best;
  int32_t* __restrict place = of.place;
  for (int64_t i = 0; i < of.n; ++i) {
    best[i] = -infinity;
    place[i] = first[i] + position;
  }
}

// One element of each window. position: of the first one; the next one is `stride` further.
LEVIN_INLINE void take(const float* __restrict from, int32_t position, int32_t stride, const Results& of) {
  float* __restrict best = of.best;
  int32_t* __restrict place = of.place;
  const int64_t n = of.n / lanes * lanes;
  for (int64_t i = 0; i < n; ++i) {
    const float value = from[i];
    const bool better = (value > best[i]) | (value != value);
    best[i] = better ? value : best[i];
    place[i] = better ? position + static_cast<int32_t>(i) * stride : place[i];
  }
}

// Pools the rows of a padded plane.
LEVIN_WIDE_CLONES void pool_rows(const float* padded, int64_t phase, const PoolAxis& rows, const PoolAxis& columns,
                                 const int32_t* first, const Results& results, float* __restrict out,
                                 int64_t* __restrict positions) {
  const auto stride = static_cast<int32_t>(columns.stride);
  for (int64_t row = 0; row < rows.results; ++row) {
    begin(results, first, static_cast<int32_t>(first_element(rows, row) * columns.size));
    for (int64_t k = 0; k < rows.kernel; ++k) {
      const int64_t line = row * rows.stride + k * rows.dilation;
      for (int64_t j = 0; j < columns.kernel; ++j) {
        const int64_t column = j * columns.dilation;
        take(padded + (line * columns.stride + column % columns.stride) * phase + column / columns.stride,
             static_cast<int32_t>((line - rows.padding) * columns.size + column - columns.padding), stride, results);
      }
    }
    for (int64_t i = 0; i < columns.results; ++i) *out++ = results.best[i];
    for (int64_t i = 0; i < columns.results; ++i) *positions++ = results.place[i];
  }
}

// Copies every second number.
LEVIN_WIDE_CLONES void copy_halves(const float* __restrict in, int64_t n, float* __restrict even,
                                   float* __restrict odd) {
  for (int64_t i = 0; i < n / 2; ++i) {
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
  }
  if (n % 2 != 0) even[n / 2] = in[n - 1];
}

}  // namespace

MaxPoolPlanes::MaxPoolPlanes(const PoolAxis& rows, const PoolAxis& columns) : rows_(rows), columns_(columns) {
  width_ = (columns.results + lanes - 1) / lanes * lanes;
  // The last windows of a rounded row reach beyond the border.
  phase_ = std::max(width_ + (columns.kernel - 1) * columns.dilation / columns.stride + 1,
                    (columns.size + 2 * columns.padding + columns.stride - 1) / columns.stride);
  padded_.assign(static_cast<size_t>(phase_ * columns.stride * (rows.size + 2 * rows.padding)), -infinity);
  best_.resize(static_cast<size_t>(width_));
  place_.resize(static_cast<size_t>(width_));
  for (int64_t i = 0; i < width_; ++i) first_.push_back(static_cast<int32_t>(first_element(columns, i)));
}

void MaxPoolPlanes::copy_padded(const float* in) {
  const int64_t stride = columns_.stride, padding = columns_.padding;
  for (int64_t row = 0; row < rows_.size; ++row, in += columns_.size) {
    float* const line = padded_.data() + (row + rows_.padding) * stride * phase_;
    float* const odd = line + phase_;
    if (stride == 1)
      std::memcpy(line + padding, in, static_cast<size_t>(columns_.size) * sizeof *in);
    else if (stride == 2 && padding % 2 == 0)
      copy_halves(in, columns_.size, line + padding / 2, odd + padding / 2);
    else if (stride == 2)
      copy_halves(in, columns_.size, odd + padding / 2, line + padding / 2 + 1);
    else
      for (int64_t i = 0; i < columns_.size; ++i)
        line[(i + padding) % stride * phase_ + (i + padding) / stride] = in[i];
  }
}

void MaxPoolPlanes::pool(const float* in, float* out, int64_t* positions) {
  copy_padded(in);
  pool_rows(padded_.data(), phase_, rows_, columns_, first_.data(), {best_.data(), place_.data(), width_}, out,
            positions);
}

}  // namespace levin::core
