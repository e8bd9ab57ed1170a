// The arithmetic of the element-wise optimizers on plain memory. Results are bitwise the same on every
// processor; of SGD, on every one with AVX2 and FMA.
#pragma once
#include <array>
#include <cstdint>

namespace levin::core {

// The numbers of an update that depend on the tensor's step count.
struct StepFactors {
  double step_size = 0;   // the factor of the update; NAdam: of the first moment
  double correction = 0;  // 1 / sqrt(bias correction of the second moment); RAdam: 0 = no second moment in this step
  double buffer = 0;      // SGD: the factor of the momentum buffer
  double grad = 0;        // SGD: the factor of the gradient that is added to the buffer; NAdam: of the gradient
  double ratio = 0;       // LAMB: the learning rate times norm of the parameter / norm of the step
  double decay = 1;       // ASGD: multiplies the parameter
  double average = 1;     // ASGD: the weight of the new parameter in the average
};

// One tensor with its gradient and state: pointers to double (f64) or float, with the elements in the same order.
struct TensorSlice {
  void* param = nullptr;
  const void* grad = nullptr;
  std::array<void*, 3> state{};
  int64_t offset = 0;  // elements in the slices before this one
  int64_t elements = 0;
  bool f64 = false;
  StepFactors factors;
};

struct SgdArgs {  // state: momentum_buffer
  double lr, weight_decay, momentum;
  bool nesterov, maximize;
};
struct AdamArgs {  // state: exp_avg, exp_avg_sq, max_exp_avg_sq; Adamax: exp_avg, exp_inf; Lion: exp_avg
  double beta1, beta2, eps;
  double l2;     // added to the gradient, times the parameter
  double decay;  // multiplies the parameter
  bool amsgrad, maximize;
};
struct LambArgs {  // state: exp_avg, exp_avg_sq
  double beta1, beta2, eps, weight_decay;
};
struct LambSquares {
  double param = 0, step = 0;
};
struct AdagradArgs {  // state: sum
  double weight_decay, eps;
  bool maximize;
};
struct RmspropArgs {  // state: square_avg, momentum_buffer, grad_avg
  double lr, alpha, eps, weight_decay, momentum;
  bool centered, maximize;
};
struct AdadeltaArgs {  // state: square_avg, acc_delta
  double lr, rho, eps, weight_decay;
  bool maximize;
};
struct AsgdArgs {  // state: ax
  double weight_decay;
  bool maximize;
};
struct RpropArgs {  // state: prev, step_size
  double eta_minus, eta_plus, step_min, step_max;
  bool maximize;
};

// Each function updates the elements [begin, end) of the slice.
void sgd_kernel(const SgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void nadam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void radam_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adamax_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void lion_kernel(const AdamArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
// Updates the state, and returns the sums of squares of the parameter and of the step that lamb_kernel() will take.
LambSquares lamb_state_kernel(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void lamb_kernel(const LambArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adagrad_kernel(const AdagradArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void rmsprop_kernel(const RmspropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void adadelta_kernel(const AdadeltaArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void asgd_kernel(const AsgdArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);
void rprop_kernel(const RpropArgs& args, const TensorSlice& slice, int64_t begin, int64_t end);

// For gradients: the sum of squares in double, data *= factor, and data clamped to [-limit, limit]. NaN stays NaN.
double sum_of_squares(const void* data, bool f64, int64_t begin, int64_t end);
bool finite_kernel(const void* data, bool f64, int64_t begin, int64_t end);  // returns true if all elements are finite
void scale_kernel(void* data, bool f64, int64_t begin, int64_t end, double factor);
void clamp_kernel(void* data, bool f64, int64_t begin, int64_t end, double limit);

// For averages of weights: to += weight * (from - to), with a weight from 0 to 1.
void lerp_kernel(void* to, const void* from, bool f64, int64_t begin, int64_t end, double weight);

}  // namespace levin::core
