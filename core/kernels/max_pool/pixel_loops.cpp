// Plain loops that the compiler vectorizes (-O3, without trapping arithmetic).
#include "core/kernels/max_pool/pixel_loops.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

constexpr int64_t lanes = 16;
constexpr float lowest = -std::numeric_limits<float>::infinity();

// The elements of a window that are within the input.
struct Elements {
  Elements(const PoolAxis& axis, int64_t window) : begin(window * axis.stride - axis.padding) {
    const int64_t behind = begin + (axis.kernel - 1) * axis.dilation + 1;
    end = std::min(behind, axis.size);
    is_whole = begin >= 0 && end == behind;
    if (begin < 0) begin += (-begin + axis.dilation - 1) / axis.dilation * axis.dilation;
  }
  int64_t begin, end;
  bool is_whole;
};

// A window of side x side elements, and channels rounded up to a multiple of 16.
template <int side>
LEVIN_INLINE void pool_whole(const float* __restrict in, int64_t down, int64_t right, int64_t channels, int32_t first,
                             int32_t position_down, int32_t position_right, float* __restrict out,
                             int64_t* __restrict positions) {
  const int64_t n = (channels + lanes - 1) / lanes * lanes;
  for (int64_t i = 0; i < n; ++i) {
    float best = lowest;
    int32_t place = first;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const float value = in[y * down + x * right + i];
        const bool better = (value > best) | (value != value);
        best = better ? value : best;
        place = better ? first + y * position_down + x * position_right : place;
      }
    out[i] = best;
    positions[i] = place;
  }
}

LEVIN_INLINE void pool_part(const PoolAxis& rows, const PoolAxis& columns, const Elements& ys, const Elements& xs,
                            int64_t channels, const float* __restrict in, float* __restrict out,
                            int64_t* __restrict positions) {
  for (int64_t i = 0; i < channels; ++i) {
    out[i] = lowest;
    positions[i] = ys.begin * columns.size + xs.begin;
  }
  for (int64_t y = ys.begin; y < ys.end; y += rows.dilation)
    for (int64_t x = xs.begin; x < xs.end; x += columns.dilation)
      for (int64_t i = 0; i < channels; ++i) {
        const float value = in[(y * columns.size + x) * channels + i];
        const bool better = (value > out[i]) | (value != value);
        out[i] = better ? value : out[i];
        positions[i] = better ? y * columns.size + x : positions[i];
      }
}

}  // namespace

bool is_fast_window(const PoolAxis& rows, const PoolAxis& columns) {
  return rows.kernel == columns.kernel && (rows.kernel == 2 || rows.kernel == 3);
}

LEVIN_WIDE_CLONES void pool_pixels(const PoolAxis& rows, const PoolAxis& columns, int64_t channels, const float* in,
                                   const float* in_end, float* out, const float* out_end, int64_t* positions) {
  const int64_t down = rows.dilation * columns.size, right = columns.dilation;
  for (; out != out_end; in += rows.size * columns.size * channels)
    for (int64_t row = 0; row < rows.results; ++row) {
      const Elements ys(rows, row);
      for (int64_t column = 0; column < columns.results; ++column, out += channels, positions += channels) {
        const Elements xs(columns, column);
        const int64_t first = ys.begin * columns.size + xs.begin;
        const float* const from = in + first * channels;
        // What is written behind the pixel is overwritten by the next one.
        const bool has_room = in_end - from >= (rows.kernel - 1) * (down + right) * channels + channels + lanes &&
                              out_end - out >= channels + lanes;
        if (!has_room || !ys.is_whole || !xs.is_whole)
          pool_part(rows, columns, ys, xs, channels, in, out, positions);
        else if (rows.kernel == 2)
          pool_whole<2>(from, down * channels, right * channels, channels, static_cast<int32_t>(first),
                        static_cast<int32_t>(down), static_cast<int32_t>(right), out, positions);
        else
          pool_whole<3>(from, down * channels, right * channels, channels, static_cast<int32_t>(first),
                        static_cast<int32_t>(down), static_cast<int32_t>(right), out, positions);
      }
    }
}

}  // namespace levin::core
