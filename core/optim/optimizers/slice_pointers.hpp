// The memory of a TensorSlice as pointers of its type, for the loops of the kernels.
#pragma once
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {

template <class T>
struct SlicePointers {
  T* __restrict param;
  const T* __restrict grad;
  T* __restrict state0;
  T* __restrict state1;
  T* __restrict state2;

  explicit SlicePointers(const TensorSlice& slice)
      : param(static_cast<T*>(slice.param)),
        grad(static_cast<const T*>(slice.grad)),
        state0(static_cast<T*>(slice.state[0])),
        state1(static_cast<T*>(slice.state[1])),
        state2(static_cast<T*>(slice.state[2])) {}
};

}  // namespace levin::core
