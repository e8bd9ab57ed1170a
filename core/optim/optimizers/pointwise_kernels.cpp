// Plain loops that the compiler vectorizes. They are compiled with -O3, without errno from sqrt and without fused
// multiply-adds (see CMakeLists.txt), so that results do not depend on the width of the vectors.
#include "core/optim/optimizers/pointwise_kernels.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

template <class T>
struct Pointers {
  T* __restrict param;
  const T* __restrict grad;
  T* __restrict state0;
  T* __restrict state1;
  T* __restrict state2;

  explicit Pointers(const TensorSlice& slice)
      : param(static_cast<T*>(slice.param)),
        grad(static_cast<const T*>(slice.grad)),
        state0(static_cast<T*>(slice.state[0])),
        state1(static_cast<T*>(slice.state[1])),
        state2(static_cast<T*>(slice.state[2])) {}
};

template <class T, bool Decay, bool Momentum, bool Nesterov>
LEVIN_INLINE void sgd_loop(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const Pointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict buf = at.state0;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), lr = T(-args.lr);
  const T of_buffer = T(slice.factors.buffer), of_grad = T(slice.factors.grad), momentum = T(args.momentum);
  for (int64_t i = begin; i < end; ++i) {
    T d = sign * g[i];
    if constexpr (Decay) d = d + wd * p[i];
    if constexpr (Momentum) {
      buf[i] = of_buffer * buf[i] + of_grad * d;
      d = Nesterov ? d + momentum * buf[i] : buf[i];
    }
    p[i] = p[i] + lr * d;
  }
}

template <class T, bool Decay>
LEVIN_INLINE void sgd_momentum(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (args.momentum == 0) return sgd_loop<T, Decay, false, false>(args, slice, begin, end);
  if (args.nesterov) return sgd_loop<T, Decay, true, true>(args, slice, begin, end);
  sgd_loop<T, Decay, true, false>(args, slice, begin, end);
}

template <class T, bool L2, bool Amsgrad>
LEVIN_INLINE void adam_loop(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const Pointers<T> at(slice);
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
LEVIN_INLINE void adagrad_loop(const AdagradArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const Pointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict sum = at.state0;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), eps = T(args.eps),
          lr = T(-slice.factors.step_size);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + wd * p[i];
    sum[i] = sum[i] + d * d;
    p[i] = p[i] + lr * d / (std::sqrt(sum[i]) + eps);
  }
}

template <class T, bool Centered, bool Momentum>
LEVIN_INLINE void rmsprop_loop(const RmspropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const Pointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict square = at.state0;
  T* __restrict buf = at.state1;
  T* __restrict mean = at.state2;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), eps = T(args.eps), lr = T(-args.lr);
  const T alpha = T(args.alpha), rest = T(1 - args.alpha), momentum = T(args.momentum);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + wd * p[i];
    square[i] = alpha * square[i] + rest * d * d;
    T variance = square[i];
    if constexpr (Centered) {
      mean[i] = alpha * mean[i] + rest * d;
      variance = variance - mean[i] * mean[i];
    }
    const T denominator = std::sqrt(variance) + eps;
    if constexpr (Momentum) {
      buf[i] = momentum * buf[i] + d / denominator;
      p[i] = p[i] + lr * buf[i];
    } else {
      p[i] = p[i] + lr * d / denominator;
    }
  }
}

template <class T, bool Centered>
LEVIN_INLINE void rmsprop_momentum(const RmspropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (args.momentum > 0) return rmsprop_loop<T, Centered, true>(args, slice, begin, end);
  rmsprop_loop<T, Centered, false>(args, slice, begin, end);
}

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

}  // namespace

LEVIN_CLONES void sgd_kernel(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const bool decay = args.weight_decay != 0;
  if (slice.f64 && decay) return sgd_momentum<double, true>(args, slice, begin, end);
  if (slice.f64) return sgd_momentum<double, false>(args, slice, begin, end);
  if (decay) return sgd_momentum<float, true>(args, slice, begin, end);
  sgd_momentum<float, false>(args, slice, begin, end);
}

LEVIN_CLONES void adam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const bool l2 = args.l2 != 0;
  if (slice.f64 && l2) return adam_amsgrad<double, true>(args, slice, begin, end);
  if (slice.f64) return adam_amsgrad<double, false>(args, slice, begin, end);
  if (l2) return adam_amsgrad<float, true>(args, slice, begin, end);
  adam_amsgrad<float, false>(args, slice, begin, end);
}

LEVIN_CLONES void adagrad_kernel(const AdagradArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return adagrad_loop<double>(args, slice, begin, end);
  adagrad_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void rmsprop_kernel(const RmspropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64 && args.centered) return rmsprop_momentum<double, true>(args, slice, begin, end);
  if (slice.f64) return rmsprop_momentum<double, false>(args, slice, begin, end);
  if (args.centered) return rmsprop_momentum<float, true>(args, slice, begin, end);
  rmsprop_momentum<float, false>(args, slice, begin, end);
}

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

}  // namespace levin::core
