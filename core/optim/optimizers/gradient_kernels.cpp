// The kernels for gradients and averages. Compiled like pointwise_kernels.cpp.
#include <cstring>
#include <limits>

#include "core/base/clones.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {
namespace {

template <class T>
LEVIN_INLINE double squares(const T* data, int64_t n) {
  constexpr int lanes = 16;
  double lane[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int k = 0; k < lanes; ++k) lane[k] += double(data[i + k]) * double(data[i + k]);
  for (; i < n; ++i) lane[0] += double(data[i]) * double(data[i]);
  double sum = 0;
  for (double x : lane) sum += x;
  return sum;
}

// A number is finite if its bits without the sign, as an integer, are less than those of infinity. The maximum is
// computed in several lanes, because each comparison in one lane would wait for the previous one.
template <class Bits>
LEVIN_INLINE bool finite(const char* data, int64_t n, Bits infinity) {
  constexpr int64_t places = 256 / sizeof(Bits);
  Bits largest[places] = {};
  const auto look = [&](int64_t i, int64_t place) {
    Bits x;
    std::memcpy(&x, data + i * int64_t(sizeof x), sizeof x);
    x &= std::numeric_limits<Bits>::max();
    largest[place] = x > largest[place] ? x : largest[place];
  };
  int64_t i = 0;
  for (; i + places <= n; i += places)
    for (int64_t place = 0; place < places; ++place) look(i + place, place);
  for (; i < n; ++i) look(i, 0);
  Bits all = 0;
  for (const Bits one : largest) all = one > all ? one : all;
  return all < infinity;
}

template <class T>
LEVIN_INLINE void scale(T* data, int64_t n, T factor) {
  for (int64_t i = 0; i < n; ++i) data[i] *= factor;
}

template <class T>
LEVIN_INLINE void clamp(T* data, int64_t n, T limit) {
  for (int64_t i = 0; i < n; ++i) {
    const T low = data[i] < -limit ? -limit : data[i];
    data[i] = low > limit ? limit : low;
  }
}

// The formula of at::lerp, which is exact for weights of 0 and 1.
template <class T>
LEVIN_INLINE void lerp(T* __restrict to, const T* __restrict from, int64_t n, T weight) {
  if (weight < T(0.5)) {
    for (int64_t i = 0; i < n; ++i) to[i] = to[i] + weight * (from[i] - to[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = from[i] - (from[i] - to[i]) * (T(1) - weight);
  }
}

}  // namespace

LEVIN_CLONES double sum_of_squares(const void* data, bool f64, int64_t begin, int64_t end) {
  if (f64) return squares(static_cast<const double*>(data) + begin, end - begin);
  return squares(static_cast<const float*>(data) + begin, end - begin);
}

LEVIN_CLONES bool finite_kernel(const void* data, bool f64, int64_t begin, int64_t end) {
  const char* first = static_cast<const char*>(data) + begin * (f64 ? 8 : 4);
  if (f64) return finite<int64_t>(first, end - begin, 0x7ff0000000000000);
  return finite<int32_t>(first, end - begin, 0x7f800000);
}

LEVIN_CLONES void scale_kernel(void* data, bool f64, int64_t begin, int64_t end, double factor) {
  if (f64) return scale(static_cast<double*>(data) + begin, end - begin, factor);
  scale(static_cast<float*>(data) + begin, end - begin, float(factor));
}

LEVIN_CLONES void clamp_kernel(void* data, bool f64, int64_t begin, int64_t end, double limit) {
  if (f64) return clamp(static_cast<double*>(data) + begin, end - begin, limit);
  clamp(static_cast<float*>(data) + begin, end - begin, float(limit));
}

LEVIN_CLONES void lerp_kernel(void* to, const void* from, bool f64, int64_t begin, int64_t end, double weight) {
  const int64_t n = end - begin;
  if (f64) return lerp(static_cast<double*>(to) + begin, static_cast<const double*>(from) + begin, n, weight);
  lerp(static_cast<float*>(to) + begin, static_cast<const float*>(from) + begin, n, float(weight));
}

}  // namespace levin::core
