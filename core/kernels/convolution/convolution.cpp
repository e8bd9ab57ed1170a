#include "core/kernels/convolution/convolution.hpp"

#include <ATen/ops/convolution_backward_compositeexplicitautograd_dispatch.h>
#include <ATen/ops/convolution_compositeexplicitautograd_dispatch.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/convolution/images.hpp"
#include "core/kernels/convolution/winograd.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using at::IntArrayRef;
using at::Tensor;
using Gradients = std::tuple<Tensor, Tensor, Tensor>;

constexpr int64_t least_channels = 5, most_channels = 64, onednn_block = 16;

struct Settings {
  IntArrayRef stride, padding, dilation;
  bool transposed;
  IntArrayRef output_padding;
  int64_t groups;
};

bool all_are(IntArrayRef values, int64_t value) {
  return std::all_of(values.begin(), values.end(), [&](int64_t one) { return one == value; });
}
bool is_images(const Tensor& tensor) {
  return is_cpu_float(tensor) && tensor.dim() == 4 && tensor.numel() > 0 &&
         (tensor.is_contiguous() || tensor.is_contiguous(at::MemoryFormat::ChannelsLast));
}
// Returns true for a 3x3 convolution with stride 1 whose tensors winograd.hpp takes.
bool is_plain_3x3(const Tensor& input, const Tensor& weight, const Settings& set) {
  return vector_loops() && is_images(input) && is_images(weight) && weight.size(2) == 3 && weight.size(3) == 3 &&
         weight.size(1) == input.size(1) && set.groups == 1 && !set.transposed && set.stride.size() == 2 &&
         set.padding.size() == 2 && set.dilation.size() == 2 && all_are(set.stride, 1) && all_are(set.dilation, 1) &&
         set.padding[0] >= 0 && set.padding[0] <= 2 && set.padding[1] >= 0 && set.padding[1] <= 2 &&
         input.size(2) + 2 * set.padding[0] >= 3 && input.size(3) + 2 * set.padding[1] >= 3;
}
std::array<int64_t, 4> output_sizes(const Tensor& input, const Tensor& weight, const Settings& set) {
  return {input.size(0), weight.size(0), input.size(2) + 2 * set.padding[0] - 2,
          input.size(3) + 2 * set.padding[1] - 2};
}

Tensor convolution(const Tensor& input, const Tensor& weight, const c10::optional<Tensor>& bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups) {
  const Settings set{stride, padding, dilation, transposed, output_padding, groups};
  const auto by_libtorch = [&] {
    return at::compositeexplicitautograd::convolution(input, weight, bias, stride, padding, dilation, transposed,
                                                      output_padding, groups);
  };
  const Tensor added = bias.value_or(Tensor());
  if (!is_plain_3x3(input, weight, set)) return by_libtorch();
  if (added.defined() && !(is_plain_float(added) && added.dim() == 1 && added.size(0) == weight.size(0)))
    return by_libtorch();
  const auto sizes = output_sizes(input, weight, set);
  const Convolution3x3 of{input.sizes(), sizes, padding[0], padding[1]};
  if (!is_fast_by_winograd(of)) return by_libtorch();
  RECORD_FUNCTION("levin::convolution", std::vector<c10::IValue>({input, weight}));
  const Tensor out = new_images(sizes, at::MemoryFormat::ChannelsLast);
  if (!winograd_output(of, channels_last(input), channels_last(weight), added, out)) return by_libtorch();
  return in_format(out, is_last(input) || is_last(weight));
}

// Returns false, with wrong gradients, if numbers are not finite.
bool winograd_gradients(const Convolution3x3& of, const Tensor& gradient, const Tensor& input, const Tensor& weight,
                        std::array<bool, 3> wanted, Gradients& out) {
  const bool last = is_last(input) || is_last(weight);
  const Tensor result = channels_last(gradient);
  if (wanted[0]) {
    const Tensor gradients = new_images(input.sizes(), at::MemoryFormat::ChannelsLast);
    if (!winograd_input_gradient(of, result, channels_last(weight), gradients)) return false;
    std::get<0>(out) = in_format(gradients, last);
  }
  if (wanted[1]) {
    const Tensor gradients = new_images(weight.sizes(), at::MemoryFormat::ChannelsLast);
    if (!winograd_weight_gradient(of, result, channels_last(input), gradients)) return false;
    std::get<1>(out) = in_format(gradients, last);
  }
  if (wanted[2]) std::get<2>(out) = result.sum(IntArrayRef({0, 2, 3}));
  return true;
}

// Returns true if the two conversions cost less than they save.
bool is_faster_last(const Tensor& gradient, const Tensor& input, const Tensor& weight, bool input_gradient) {
  return input_gradient && input.dim() == 4 && is_plain_float(input) && is_plain_float(weight) &&
         is_plain_float(gradient) && input.numel() > 0 && input.size(1) >= least_channels &&
         input.size(1) <= most_channels && gradient.size(1) <= most_channels && gradient.size(1) % onednn_block != 0;
}

Gradients convolution_backward(const Tensor& gradient, const Tensor& input, const Tensor& weight,
                               at::OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding,
                               IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups,
                               std::array<bool, 3> wanted) {
  const Settings set{stride, padding, dilation, transposed, output_padding, groups};
  const auto by_libtorch = [&](const Tensor& given, const Tensor& in) {
    return at::compositeexplicitautograd::convolution_backward(given, in, weight, bias_sizes, stride, padding, dilation,
                                                               transposed, output_padding, groups, wanted);
  };
  if (is_plain_3x3(input, weight, set) && is_cpu_float(gradient) &&
      gradient.sizes() == IntArrayRef(output_sizes(input, weight, set))) {
    const Convolution3x3 of{input.sizes(), gradient.sizes(), padding[0], padding[1]};
    if (is_fast_by_winograd(of)) {
      RECORD_FUNCTION("levin::convolution_backward", std::vector<c10::IValue>({gradient, input, weight}));
      Gradients out;
      return winograd_gradients(of, gradient, input, weight, wanted, out) ? out : by_libtorch(gradient, input);
    }
  }
  if (transposed || groups != 1 || !is_faster_last(gradient, input, weight, wanted[0]))
    return by_libtorch(gradient, input);
  RECORD_FUNCTION("levin::convolution_backward", std::vector<c10::IValue>({gradient}));
  const auto out = by_libtorch(channels_last(gradient), channels_last(input));
  const Tensor& for_weight = std::get<1>(out);
  return {in_format(std::get<0>(out), false), for_weight.defined() ? in_format(for_weight, false) : for_weight,
          std::get<2>(out)};
}

}  // namespace

void add_convolution(torch::Library& library) {
  library.impl("convolution", TORCH_FN(convolution));
  library.impl("convolution_backward", TORCH_FN(convolution_backward));
}

}  // namespace levin::core
