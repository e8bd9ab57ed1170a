// Vectors as wide as the registers of the processor that the file is compiled for, and their functions, for avx2.cpp
// and avx512.cpp. Everything is local to these files: the linker must not choose their code for another file, because
// some processors cannot run it.
#pragma once
#include <cstdint>

#define LEVIN_LOCAL inline __attribute__((always_inline))

namespace levin::core {
namespace {

#ifdef __AVX512F__
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
typedef float V __attribute__((vector_size(vector_bytes), aligned(4), may_alias));
typedef int32_t I __attribute__((vector_size(vector_bytes), aligned(4), may_alias));
constexpr int64_t lanes = vector_bytes / 4;

LEVIN_LOCAL V load(const float* from) { return *reinterpret_cast<const V*>(from); }
LEVIN_LOCAL void store(float* to, V values) { *reinterpret_cast<V*>(to) = values; }
LEVIN_LOCAL V all(float value) { return V{} + value; }
// How many numbers of a vector are used: all, or the first n.
struct Whole {};
struct Part {
  int64_t n;
};
// Calls f(i, Whole or Part) for vectors that start at i.
template <class F>
LEVIN_LOCAL void each_vector(int64_t n, const F& f) {
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) f(i, Whole());
  if (i < n) f(i, Part{n - i});
}
LEVIN_LOCAL V read(const float* from, Whole) { return load(from); }
LEVIN_LOCAL V read(const float* from, Part of) {
  V out = V{};
  for (int64_t i = 0; i < of.n; ++i) out[i] = from[i];
  return out;
}
LEVIN_LOCAL void write(float* to, Whole, V values) { store(to, values); }
LEVIN_LOCAL void write(float* to, Part of, V values) {
  for (int64_t i = 0; i < of.n; ++i) to[i] = values[i];
}

LEVIN_LOCAL V magnitude(V x) { return reinterpret_cast<V>(reinterpret_cast<I>(x) & 0x7fffffff); }
LEVIN_LOCAL V with_sign_of(V of, V x) {
  return reinterpret_cast<V>(reinterpret_cast<I>(x) | (reinterpret_cast<I>(of) & static_cast<int32_t>(0x80000000U)));
}

// Exact to 2 units in the last place. Results below 2e-38 may be 0.
LEVIN_LOCAL V exponential(V x) {
  x = x < -87.0F ? all(-87.0F) : x;  // NaN stays
  x = x > 89.0F ? all(89.0F) : x;
  constexpr float rounder = 12582912;  // 1.5 * 2^23
  const V shifted = x * 1.44269504F + rounder, whole = shifted - rounder;
  const V rest = x - whole * 0.693359375F + whole * 2.12194440e-4F;
  V p = all(1.9875691500e-4F);
  p = p * rest + 1.3981999507e-3F;
  p = p * rest + 8.3334519073e-3F;
  p = p * rest + 4.1665795894e-2F;
  p = p * rest + 1.6666665459e-1F;
  p = p * rest + 5.0000001201e-1F;
  p = p * rest * rest + rest + 1.0F;
  // 2^(whole - 1), so that the largest results do not overflow
  const V half_power = reinterpret_cast<V>((reinterpret_cast<I>(shifted) << 23) + 0x3f000000);
  return p * half_power * 2.0F;
}

LEVIN_LOCAL V sigmoid(V x) { return 1.0F / (1.0F + exponential(-x)); }

LEVIN_LOCAL V hyperbolic_tangent(V x) {
  const V size = magnitude(x), square = x * x;
  V p = all(-5.70498872745e-3F);
  p = p * square + 2.06390887954e-2F;
  p = p * square - 5.37397155531e-2F;
  p = p * square + 1.33314422036e-1F;
  p = p * square - 3.33332819422e-1F;
  const V small = p * square * x + x;
  const V large = with_sign_of(x, 1.0F - 2.0F / (exponential(size + size) + 1.0F));
  return size < 0.625F ? small : large;
}

}  // namespace
}  // namespace levin::core
