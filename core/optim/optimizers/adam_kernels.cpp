// The kernels of Adam and its relatives. Compiled like pointwise_kernels.cpp.
#include <cmath>

#include "core/base/clones.hpp"
#include "core/optim/optimizers/slice_pointers.hpp"

namespace levin::core {
namespace {

template <class T, bool L2, bool Amsgrad>
LEVIN_INLINE void adam_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  T* __restrict v = at.state1;
  T* __restrict vmax = at.state2;
  const T sign = args.maximize ? T(-1) : T(1), l2 = T(args.l2), decay = T(args.decay), eps = T(args.eps);
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1), rest2 = T(1 - args.beta2);
  const T step = T(-slice.factors.step_size), correction = T(slice.factors.correction);
  for (int64_t i = begin; i < end; ++i) {
    T d = sign * g[i];
    if constexpr (L2) d = d + l2 * p[i];
    m[i] = beta1 * m[i] + rest1 * d;
    v[i] = beta2 * v[i] + rest2 * d * d;
    T second = v[i];
    if constexpr (Amsgrad) {
      second = vmax[i] > second ? vmax[i] : second;  // NaN in either wins, because comparisons with NaN are false
      second = vmax[i] != vmax[i] ? vmax[i] : second;
      vmax[i] = second;
    }
    p[i] = decay * p[i] + step * m[i] / (std::sqrt(second) * correction + eps);
  }
}

template <class T, bool L2>
LEVIN_INLINE void adam_amsgrad(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (args.amsgrad) return adam_loop<T, L2, true>(args, slice, begin, end);
  adam_loop<T, L2, false>(args, slice, begin, end);
}

template <class T>
LEVIN_INLINE void nadam_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  T* __restrict v = at.state1;
  const T sign = args.maximize ? T(-1) : T(1), l2 = T(args.l2), decay = T(args.decay), eps = T(args.eps);
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1), rest2 = T(1 - args.beta2);
  const T of_mean = T(slice.factors.step_size), of_grad = T(slice.factors.grad);
  const T correction = T(slice.factors.correction);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + l2 * p[i];
    m[i] = beta1 * m[i] + rest1 * d;
    v[i] = beta2 * v[i] + rest2 * d * d;
    p[i] = decay * p[i] - (of_grad * d + of_mean * m[i]) / (std::sqrt(v[i]) * correction + eps);
  }
}

template <class T>
LEVIN_INLINE void radam_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  T* __restrict v = at.state1;
  const bool rectified = slice.factors.correction != 0;
  const T sign = args.maximize ? T(-1) : T(1), l2 = T(args.l2), decay = T(args.decay), eps = T(args.eps);
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1), rest2 = T(1 - args.beta2);
  const T step = T(-slice.factors.step_size);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + l2 * p[i];
    m[i] = beta1 * m[i] + rest1 * d;
    v[i] = beta2 * v[i] + rest2 * d * d;
    p[i] = decay * p[i] + step * m[i] / (rectified ? std::sqrt(v[i]) + eps : T(1));
  }
}

template <class T>
LEVIN_INLINE void adamax_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  T* __restrict largest = at.state1;
  const T sign = args.maximize ? T(-1) : T(1), l2 = T(args.l2), eps = T(args.eps);
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1);
  const T step = T(-slice.factors.step_size);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + l2 * p[i];
    m[i] = beta1 * m[i] + rest1 * d;
    const T now = std::abs(d) + eps, before = beta2 * largest[i];
    const T larger = before > now ? before : now;  // NaN in either wins
    largest[i] = before != before ? before : larger;
    p[i] = p[i] + step * m[i] / largest[i];
  }
}

template <class T>
LEVIN_INLINE void lion_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1), rest2 = T(1 - args.beta2);
  const T decay = T(args.decay), step = T(slice.factors.step_size);
  for (int64_t i = begin; i < end; ++i) {
    const T update = beta1 * m[i] + rest1 * g[i];
    m[i] = beta2 * m[i] + rest2 * g[i];
    const T up = update < 0 ? step : T(0), down = update > 0 ? step : T(0);
    p[i] = decay * p[i] + up - down;
  }
}

template <class T>
struct LambStep {
  const T eps, weight_decay, first, correction;
  LambStep(const LambArgs& args, const StepFactors& factors)
      : eps(T(args.eps)),
        weight_decay(T(args.weight_decay)),
        first(T(factors.step_size)),
        correction(T(factors.correction)) {}
  LEVIN_INLINE T operator()(T p, T m, T v) const {
    return first * m / (std::sqrt(v) * correction + eps) + weight_decay * p;
  }
};

// Sums in several lanes, because each addition in one lane would wait for the previous one.
template <class T>
LEVIN_INLINE LambSquares lamb_state_loop(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  constexpr int lanes = 16;
  const SlicePointers<T> at(slice);
  const T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict m = at.state0;
  T* __restrict v = at.state1;
  const T beta1 = T(args.beta1), beta2 = T(args.beta2), rest1 = T(1 - args.beta1), rest2 = T(1 - args.beta2);
  const LambStep<T> step_of(args, slice.factors);
  double params[lanes] = {}, steps[lanes] = {};
  const auto look = [&](int64_t i, int lane) {
    m[i] = beta1 * m[i] + rest1 * g[i];
    v[i] = beta2 * v[i] + rest2 * g[i] * g[i];
    const double param = double(p[i]), step = double(step_of(p[i], m[i], v[i]));
    params[lane] += param * param;
    steps[lane] += step * step;
  };
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) look(i + lane, lane);
  for (; i < end; ++i) look(i, 0);
  LambSquares sum;
  for (int lane = 0; lane < lanes; ++lane) sum = {sum.param + params[lane], sum.step + steps[lane]};
  return sum;
}

template <class T>
LEVIN_INLINE void lamb_loop(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict m = at.state0;
  const T* __restrict v = at.state1;
  const T ratio = T(slice.factors.ratio);
  const LambStep<T> step_of(args, slice.factors);
  for (int64_t i = begin; i < end; ++i) p[i] = p[i] - ratio * step_of(p[i], m[i], v[i]);
}

}  // namespace

LEVIN_CLONES void adam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const bool l2 = args.l2 != 0;
  if (slice.f64 && l2) return adam_amsgrad<double, true>(args, slice, begin, end);
  if (slice.f64) return adam_amsgrad<double, false>(args, slice, begin, end);
  if (l2) return adam_amsgrad<float, true>(args, slice, begin, end);
  adam_amsgrad<float, false>(args, slice, begin, end);
}

LEVIN_CLONES void nadam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return nadam_loop<double>(args, slice, begin, end);
  nadam_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void radam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return radam_loop<double>(args, slice, begin, end);
  radam_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void adamax_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return adamax_loop<double>(args, slice, begin, end);
  adamax_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void lion_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return lion_loop<double>(args, slice, begin, end);
  lion_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES LambSquares lamb_state_kernel(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return lamb_state_loop<double>(args, slice, begin, end);
  return lamb_state_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void lamb_kernel(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return lamb_loop<double>(args, slice, begin, end);
  lamb_loop<float>(args, slice, begin, end);
}

}  // namespace levin::core
