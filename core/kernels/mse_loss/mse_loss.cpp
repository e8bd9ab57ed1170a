#include "core/kernels/mse_loss/mse_loss.hpp"

#include <ATen/core/Reduction.h>
#include <ATen/ops/mse_loss_backward_cpu_dispatch.h>
#include <ATen/ops/mse_loss_cpu_dispatch.h>
#include <ATen/record_function.h>

#include <array>
#include <vector>

#include "core/kernels/common/plain_tensor.hpp"

namespace levin::core {
namespace {

using at::Tensor;

// LibTorch makes a tensor of the squares and starts a reduction of it, which pays for many numbers.
constexpr int64_t most_numbers = 2048;
bool is_taken(const Tensor& input, const Tensor& target, int64_t reduction) {
  return (reduction == at::Reduction::Mean || reduction == at::Reduction::Sum) && is_plain_float(input) &&
         is_plain_float(target) && input.sizes() == target.sizes() && input.numel() > 0 &&
         input.numel() <= most_numbers;
}

// A square or a sum that overflows in float is infinite, as in LibTorch.
float sum_of_squares(const float* a, const float* b, int64_t size) {
  constexpr int64_t lanes = 8;
  std::array<double, lanes> sums{};
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const float error = a[i + lane] - b[i + lane];
      sums[static_cast<size_t>(lane)] += error * error;
    }
  for (; i < size; ++i) {
    const float error = a[i] - b[i];
    sums[0] += error * error;
  }
  double sum = 0;
  for (const double one : sums) sum += one;
  return static_cast<float>(sum);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, int64_t reduction) {
  if (!is_taken(input, target, reduction)) return at::cpu::mse_loss(input, target, reduction);
  RECORD_FUNCTION("levin::mse_loss", std::vector<c10::IValue>({input, target}));
  const float sum = sum_of_squares(input.data_ptr<float>(), target.data_ptr<float>(), input.numel());
  Tensor out = empty_float({});
  *out.data_ptr<float>() = reduction == at::Reduction::Sum ? sum : sum / static_cast<float>(input.numel());
  return out;
}

Tensor mse_loss_backward(const Tensor& gradient, const Tensor& input, const Tensor& target, int64_t reduction) {
  if (!is_taken(input, target, reduction) || !is_plain_float(gradient) || gradient.dim() != 0)
    return at::cpu::mse_loss_backward(gradient, input, target, reduction);
  RECORD_FUNCTION("levin::mse_loss_backward", std::vector<c10::IValue>({gradient, input, target}));
  Tensor out = empty_float(input.sizes());
  const auto factor = static_cast<float>(reduction == at::Reduction::Sum ? 2. : 2. / static_cast<double>(out.numel()));
  const float given = *gradient.data_ptr<float>();
  const float *const a = input.data_ptr<float>(), *const b = target.data_ptr<float>();
  float* const to = out.data_ptr<float>();
  for (int64_t i = 0; i < out.numel(); ++i) to[i] = factor * (a[i] - b[i]) * given;
  return out;
}

}  // namespace

void add_mse_loss(torch::Library& library) {
  library.impl("mse_loss", TORCH_FN(mse_loss));
  library.impl("mse_loss_backward", TORCH_FN(mse_loss_backward));
}

}  // namespace levin::core
