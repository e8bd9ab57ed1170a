#include "core/kernels/batch_norm/batch_norm.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm_backward_cpu_dispatch.h>
#include <ATen/ops/native_batch_norm_cpu_dispatch.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/kernels/batch_norm/batch_norm_rows.hpp"
#include "core/kernels/batch_norm/channel_loops.hpp"
#include "core/kernels/batch_norm/channels_last.hpp"
#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/common/plain_tensor.hpp"

namespace levin::core {
namespace {

using at::Tensor;
using Optional = c10::optional<Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;

// The numbers of channel c are rows of `row` numbers, one for each sample.
struct Channels {
  explicit Channels(const Tensor& input)
      : samples(input.size(0)), count(input.size(1)), row(input.numel() / (samples * count)) {}
  int64_t samples, count, row;

  double numbers() const { return static_cast<double>(samples * row); }
  template <class F>
  void each_row(int64_t channel, const F& f) const {
    for (int64_t n = 0; n < samples; ++n) f((n * count + channel) * row);
  }
  // f(channel), on several threads. A channel belongs to one thread, so sums do not depend on their number.
  template <class F>
  void each_channel(const F& f) const {
    const int64_t grain = std::max<int64_t>(1, grain_size / (samples * row));
    parallel_for(count, grain, [&](int64_t begin, int64_t end) {
      for (int64_t channel = begin; channel < end; ++channel) f(channel);
    });
  }
};

// Shorter rows are faster in LibTorch's kernels, and with the channels last fewer rows of repeated channels.
constexpr int64_t least_row_forward = 16, least_row_backward = 32, least_rows = 4;
constexpr int64_t most_numbers = int64_t{1} << 21, libtorch_vector = 16;

bool is_input(const Tensor& input, int64_t least_row) {
  return is_plain_float(input) && input.dim() >= 3 && input.numel() >= input.size(0) * input.size(1) * least_row &&
         input.numel() > 0;
}
bool is_channels_last_input(const Tensor& input) {
  return is_channels_last_float(input) && input.numel() > 0 &&
         input.numel() >= least_rows * repeated_width(input.size(1));
}
// Beyond the caches LibTorch's kernels are faster, where the channels fill its vectors.
bool is_fast_last(const Tensor& input) { return input.numel() <= most_numbers || input.size(1) % libtorch_vector != 0; }
bool is_plain(const Optional& values) { return !values || !values->defined() || is_plain_float(*values); }
const float* numbers_of(const Optional& values) {
  return values && values->defined() ? values->data_ptr<float>() : nullptr;
}
float* changeable(const Optional& values) { return values && values->defined() ? values->data_ptr<float>() : nullptr; }

Three forward_rows(const Tensor& input, const NormParameters& of) {
  const Channels channels(input);
  Tensor output = at::empty_like(input);
  Tensor means = at::empty({channels.count}, input.options()), inverse_stds = at::empty_like(means);
  const float* const in = input.data_ptr<float>();
  float* const out = output.data_ptr<float>();
  float *const mean = means.data_ptr<float>(), *const inverse_std = inverse_stds.data_ptr<float>();
  channels.each_channel([&](int64_t c) {
    double total = 0, squares = 0;
    channels.each_row(c, [&](int64_t at) { total += sum(in + at, channels.row); });
    const double exact_mean = total / channels.numbers();
    mean[c] = static_cast<float>(exact_mean);
    const double lost = exact_mean - static_cast<double>(mean[c]);  // by rounding
    channels.each_row(c, [&](int64_t at) { squares += sum_of_squares(in + at, channels.row, mean[c]); });
    squares = std::max(squares - channels.numbers() * lost * lost, 0.0);  // NaN stays
    inverse_std[c] = static_cast<float>(1 / std::sqrt(squares / channels.numbers() + of.eps));
    of.move_running(c, exact_mean, squares, channels.numbers());
    const float scale = inverse_std[c] * (of.weight ? of.weight[c] : 1);
    const float shift = (of.bias ? of.bias[c] : 0) - static_cast<float>(lost) * scale;
    channels.each_row(c, [&](int64_t at) { normalize(in + at, channels.row, mean[c], scale, shift, out + at); });
  });
  return {output, means, inverse_stds};
}

Three forward(const Tensor& input, const Optional& weight, const Optional& bias, const Optional& running_mean,
              const Optional& running_var, bool training, double momentum, double eps) {
  const bool plain = training && is_plain(weight) && is_plain(bias) && is_plain(running_mean) && is_plain(running_var);
  const bool by_rows = plain && is_input(input, least_row_forward);
  if (by_rows || (plain && is_channels_last_input(input) && is_fast_last(input))) {
    RECORD_FUNCTION("levin::native_batch_norm", std::vector<c10::IValue>({input}));
    const NormParameters of{numbers_of(weight),      numbers_of(bias), changeable(running_mean),
                            changeable(running_var), momentum,         eps};
    Three out = by_rows ? forward_rows(input, of) : channels_last_norm(input, of);
    if (std::get<0>(out).defined()) return out;
  }
  return at::cpu::native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

Three backward_rows(const Tensor& gradient, const Tensor& input, const float* weight, const float* mean,
                    const float* inverse_std, std::array<bool, 3> wanted) {
  const Channels channels(input);
  Tensor input_gradients = wanted[0] ? at::empty_like(input) : Tensor();
  Tensor weight_gradients = wanted[1] ? at::empty({channels.count}, input.options()) : Tensor();
  Tensor bias_gradients = wanted[2] ? at::empty({channels.count}, input.options()) : Tensor();
  const auto memory = [](const Tensor& of) { return of.defined() ? of.data_ptr<float>() : nullptr; };
  const float *const in = memory(input), *const given = memory(gradient);
  float *const out = memory(input_gradients), *const for_weight = memory(weight_gradients),
               *const for_bias = memory(bias_gradients);
  channels.each_channel([&](int64_t c) {
    GradientSums sums;
    channels.each_row(c, [&](int64_t at) {
      const GradientSums row = gradient_sums(given + at, in + at, channels.row, mean[c]);
      sums.gradient += row.gradient;
      sums.product += row.product;
    });
    const auto inverse = static_cast<double>(inverse_std[c]);
    if (for_weight) for_weight[c] = static_cast<float>(sums.product * inverse);
    if (for_bias) for_bias[c] = static_cast<float>(sums.gradient);
    if (!out) return;
    const auto shift = static_cast<float>(sums.gradient / channels.numbers());
    const auto slope = static_cast<float>(sums.product * inverse * inverse / channels.numbers());
    const float scale = inverse_std[c] * (weight ? weight[c] : 1);
    channels.each_row(c, [&](int64_t at) {
      input_gradient(given + at, in + at, channels.row, mean[c], shift, slope, scale, out + at);
    });
  });
  return {input_gradients, weight_gradients, bias_gradients};
}

Three backward(const Tensor& gradient, const Tensor& input, const Optional& weight, const Optional& running_mean,
               const Optional& running_var, const Optional& means, const Optional& inverse_stds, bool training,
               double eps, std::array<bool, 3> wanted) {
  const bool plain = training && is_plain(weight) && is_plain(means) && numbers_of(means) && is_plain(inverse_stds) &&
                     numbers_of(inverse_stds);
  const bool by_rows = plain && is_input(input, least_row_backward) && is_plain_float(gradient);
  const bool by_channels = plain && !by_rows && is_channels_last_input(input) && is_cpu_float(gradient) &&
                           (is_fast_last(input) || !is_channels_last_float(gradient));
  if (!by_rows && !by_channels)
    return at::cpu::native_batch_norm_backward(gradient, input, weight, running_mean, running_var, means, inverse_stds,
                                               training, eps, wanted);
  RECORD_FUNCTION("levin::native_batch_norm_backward", std::vector<c10::IValue>({gradient}));
  if (by_rows)
    return backward_rows(gradient, input, numbers_of(weight), numbers_of(means), numbers_of(inverse_stds), wanted);
  return channels_last_norm_backward(gradient.contiguous(at::MemoryFormat::ChannelsLast), input, numbers_of(weight),
                                     numbers_of(means), numbers_of(inverse_stds), wanted);
}

}  // namespace

void add_batch_norm(torch::Library& library) {
  library.impl("native_batch_norm", TORCH_FN(forward));
  library.impl("native_batch_norm_backward", TORCH_FN(backward));
}

}  // namespace levin::core
