// The arithmetic of the element-wise optimizers, on plain memory. Results are the same bits on every processor.
#pragma once
#include <array>
#include <cstdint>

namespace levin::core {

// One tensor of n elements; all pointers to double (f64) or float, with the same order of elements.
struct TensorSlice {
  void* param = nullptr;
  const void* grad = nullptr;
  std::array<void*, 3> state{};
  int64_t offset = 0;  // elements in the slices before this one
  int64_t n = 0;
  bool f64 = false;
  double a = 0, b = 0;  // what differs from tensor to tensor, see below
};

struct SgdArgs {  // state: momentum buffer. a: factor of the buffer, b: factor of the gradient that joins it
  double lr, weight_decay, momentum;
  bool nesterov, maximize;
};
struct AdamArgs {  // state: exp_avg, exp_avg_sq, max_exp_avg_sq. a: step size, b: 1 / sqrt(bias correction of the
                   // second)
  double beta1, beta2, eps;
  double l2;     // added to the gradient
  double decay;  // factor of the parameter
  bool amsgrad, maximize;
};
struct AdagradArgs {  // state: sum. a: learning rate
  double weight_decay, eps;
  bool maximize;
};
struct RmspropArgs {  // state: square_avg, momentum_buffer, grad_avg
  double lr, alpha, eps, weight_decay, momentum;
  bool centered, maximize;
};

// Elements [begin, end) of the slice.
void sgd_kernel(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adagrad_kernel(const AdagradArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void rmsprop_kernel(const RmspropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);

// For clipping: the sum of squares, in double; data *= factor; data cut to [-limit, limit]. NaN stays NaN.
double sum_of_squares(const void* data, bool f64, int64_t begin, int64_t end);
void scale_kernel(void* data, bool f64, int64_t begin, int64_t end, double factor);
void clamp_kernel(void* data, bool f64, int64_t begin, int64_t end, double limit);

}  // namespace levin::core
