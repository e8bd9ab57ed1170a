// Plain loops that the compiler vectorizes (-O3, without trapping arithmetic).
#include "core/kernels/batch_norm/channel_loops.hpp"

#include <numeric>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

constexpr int64_t lanes = 16, least_width = 128;

// f(i, column): whole rows first, in which the compiler knows that vectors fit.
template <class F>
LEVIN_INLINE void each_number(int64_t n, int64_t width, const F& f) {
  const int64_t columns = width / lanes * lanes;
  int64_t at = 0;
  for (; at + columns <= n; at += columns)
    for (int64_t i = 0; i < columns; ++i) f(at + i, i);
  for (int64_t i = 0; at + i < n; ++i) f(at + i, i);
}

}  // namespace

int64_t repeated_width(int64_t channels) {
  const int64_t least = std::lcm(channels, lanes);
  return (least_width + least - 1) / least * least;
}

LEVIN_WIDE_CLONES void add_distances(const float* __restrict in, int64_t n, const float* __restrict centre,
                                     int64_t width, float* __restrict distances, float* __restrict squares) {
  const int64_t columns = width / lanes * lanes, four = 4 * columns, most = n / four * four;
  for (int64_t at = 0; at < most; at += four)
    for (int64_t i = 0; i < columns; ++i) {
      const float* __restrict const from = in + at + i;
      const float a = from[0] - centre[i], b = from[columns] - centre[i], c = from[2 * columns] - centre[i],
                  d = from[3 * columns] - centre[i];
      distances[i] += (a + b) + (c + d);
      squares[i] += (a * a + b * b) + (c * c + d * d);
    }
  each_number(n - most, width, [&](int64_t at, int64_t i) {
    const float distance = in[most + at] - centre[i];
    distances[i] += distance;
    squares[i] += distance * distance;
  });
}

LEVIN_WIDE_CLONES void add_gradients(const float* __restrict gradient, const float* __restrict in, int64_t n,
                                     const float* __restrict centre, int64_t width, float* __restrict gradients,
                                     float* __restrict products) {
  const int64_t columns = width / lanes * lanes, four = 4 * columns, most = n / four * four;
  for (int64_t at = 0; at < most; at += four)
    for (int64_t i = 0; i < columns; ++i) {
      const float* __restrict const from = in + at + i, * __restrict const given = gradient + at + i;
      const float a = given[0], b = given[columns], c = given[2 * columns], d = given[3 * columns];
      gradients[i] += (a + b) + (c + d);
      products[i] += (a * (from[0] - centre[i]) + b * (from[columns] - centre[i])) +
                     (c * (from[2 * columns] - centre[i]) + d * (from[3 * columns] - centre[i]));
    }
  each_number(n - most, width, [&](int64_t at, int64_t i) {
    gradients[i] += gradient[most + at];
    products[i] += gradient[most + at] * (in[most + at] - centre[i]);
  });
}

LEVIN_WIDE_CLONES void move_sums(float* __restrict sums, double* __restrict totals, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    totals[i] += static_cast<double>(sums[i]);
    sums[i] = 0;
  }
}

LEVIN_WIDE_CLONES void normalize_rows(const float* __restrict in, int64_t n, const float* __restrict centre,
                                      const float* __restrict scale, const float* __restrict shift, int64_t width,
                                      float* __restrict out) {
  each_number(n, width, [&](int64_t at, int64_t i) { out[at] = (in[at] - centre[i]) * scale[i] + shift[i]; });
}

LEVIN_WIDE_CLONES void input_gradient_rows(const float* __restrict gradient, const float* __restrict in, int64_t n,
                                           const float* __restrict centre, const float* __restrict shift,
                                           const float* __restrict slope, const float* __restrict scale, int64_t width,
                                           float* __restrict out) {
  each_number(n, width, [&](int64_t at, int64_t i) {
    out[at] = (gradient[at] - shift[i] - (in[at] - centre[i]) * slope[i]) * scale[i];
  });
}

}  // namespace levin::core
