// Plain loops that the compiler vectorizes. They are compiled with -O3, without errno from sqrt and without fused
// multiply-adds (see CMakeLists.txt), so that results do not depend on the width of the vectors.
#include <cmath>

#include "core/base/clones.hpp"
#include "core/optim/optimizers/slice_pointers.hpp"

namespace levin::core {
namespace {

template <class T>
LEVIN_INLINE void adagrad_loop(const AdagradArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
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
  const SlicePointers<T> at(slice);
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
LEVIN_INLINE void adadelta_loop(const AdadeltaArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict square = at.state0;
  T* __restrict moved = at.state1;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), eps = T(args.eps), lr = T(-args.lr);
  const T rho = T(args.rho), rest = T(1 - args.rho);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + wd * p[i];
    square[i] = rho * square[i] + rest * d * d;
    const T delta = std::sqrt(moved[i] + eps) / std::sqrt(square[i] + eps) * d;
    moved[i] = rho * moved[i] + rest * delta * delta;
    p[i] = p[i] + lr * delta;
  }
}

template <class T>
LEVIN_INLINE void asgd_loop(const AsgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict mean = at.state0;
  const T sign = args.maximize ? T(-1) : T(1), wd = T(args.weight_decay), decay = T(slice.factors.decay);
  const T eta = T(-slice.factors.step_size), weight = T(slice.factors.average);
  const bool copies = slice.factors.average == 1;
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i] + wd * p[i];
    const T now = decay * p[i] + eta * d;
    mean[i] = copies ? now : mean[i] + weight * (now - mean[i]);
    p[i] = now;
  }
}

template <class T>
LEVIN_INLINE void rprop_loop(const RpropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  const SlicePointers<T> at(slice);
  T* __restrict p = at.param;
  const T* __restrict g = at.grad;
  T* __restrict before = at.state0;
  T* __restrict step = at.state1;
  const T sign = args.maximize ? T(-1) : T(1), shrink = T(args.eta_minus), grow = T(args.eta_plus);
  const T least = T(args.step_min), most = T(args.step_max);
  for (int64_t i = begin; i < end; ++i) {
    const T d = sign * g[i], agreement = d * before[i];
    const T not_shrunk = agreement > 0 ? grow : T(1), factor = agreement < 0 ? shrink : not_shrunk;
    const T wanted = step[i] * factor, at_least = wanted < least ? least : wanted;
    const T size = at_least > most ? most : at_least;
    const T kept = agreement < 0 ? T(0) : d;
    const T up = kept < 0 ? size : T(0), down = kept > 0 ? size : T(0);
    p[i] = p[i] + up - down;
    step[i] = size;
    before[i] = kept;
  }
}

}  // namespace

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

LEVIN_CLONES void adadelta_kernel(const AdadeltaArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return adadelta_loop<double>(args, slice, begin, end);
  adadelta_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void asgd_kernel(const AsgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return asgd_loop<double>(args, slice, begin, end);
  asgd_loop<float>(args, slice, begin, end);
}

LEVIN_CLONES void rprop_kernel(const RpropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end) {
  if (slice.f64) return rprop_loop<double>(args, slice, begin, end);
  rprop_loop<float>(args, slice, begin, end);
}

}  // namespace levin::core
