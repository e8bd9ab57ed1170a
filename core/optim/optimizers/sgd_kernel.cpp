// SGD with the bits of PyTorch: LibTorch's add(a, b, alpha) is a fused multiply-add on processors that have it.
// Compiled as pointwise_kernels.cpp is.
#include "core/base/clones.hpp"
#include "core/optim/optimizers/slice_pointers.hpp"

namespace levin::core {
namespace {

// Return a + alpha * b, rounded once if Fused.
template <bool Fused>
LEVIN_INLINE float add(float a, float b, float alpha) {
  return Fused ? __builtin_fmaf(alpha, b, a) : a + alpha * b;
}
template <bool Fused>
LEVIN_INLINE double add(double a, double b, double alpha) {
  return Fused ? __builtin_fma(alpha, b, a) : a + alpha * b;
}

template <bool Fused, class T, bool Decay, bool Momentum, bool Nesterov>
LEVIN_INLINE void sgd_loop(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict buf = at.state0;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), lr = T(-args.lr);
  const T of_buffer = T(slice.factors.buffer), of_grad = T(slice.factors.grad), momentum = T(args.momentum);
  for (int64_t i = begin; i < end; ++i) {
    T d = sign * g[i];
    if constexpr (Decay) d = add<Fused>(d, p[i], wd);
    if constexpr (Momentum) {
      buf[i] = add<Fused>(of_buffer * buf[i], d, of_grad);
      d = Nesterov ? add<Fused>(d, buf[i], momentum) : buf[i];
    }
    p[i] = add<Fused>(p[i], d, lr);
  }
}

template <bool Fused, class T, bool Decay>
LEVIN_INLINE void sgd_momentum(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (args.momentum == 0) return sgd_loop<Fused, T, Decay, false, false>(args, slice, begin, end);
  if (args.nesterov) return sgd_loop<Fused, T, Decay, true, true>(args, slice, begin, end);
  sgd_loop<Fused, T, Decay, true, false>(args, slice, begin, end);
}

template <bool Fused>
LEVIN_INLINE void sgd(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const bool decay = args.weight_decay != 0;
  if (slice.f64 && decay) return sgd_momentum<Fused, double, true>(args, slice, begin, end);
  if (slice.f64) return sgd_momentum<Fused, double, false>(args, slice, begin, end);
  if (decay) return sgd_momentum<Fused, float, true>(args, slice, begin, end);
  sgd_momentum<Fused, float, false>(args, slice, begin, end);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void sgd_with_fused_add(const SgdArgs& args, const TensorSlice& slice,
                                                            int64_t begin, int64_t end) {
  sgd<true>(args, slice, begin, end);
}
// As LibTorch chooses its kernels.
bool has_fused_add() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#else
void sgd_with_fused_add(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  sgd<true>(args, slice, begin, end);
}
bool has_fused_add() { return true; }
#endif

}  // namespace

void sgd_kernel(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (has_fused_add()) return sgd_with_fused_add(args, slice, begin, end);
  sgd<false>(args, slice, begin, end);
}

}  // namespace levin::core
