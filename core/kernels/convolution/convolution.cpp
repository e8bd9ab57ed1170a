#include "core/kernels/convolution/convolution.hpp"

#include <ATen/ops/convolution_backward_compositeexplicitautograd_dispatch.h>
#include <ATen/record_function.h>

#include <array>
#include <tuple>
#include <vector>

#include "core/kernels/common/plain_tensor.hpp"

namespace levin::core {
namespace {

using at::IntArrayRef;
using at::Tensor;

constexpr int64_t least_channels = 5, most_channels = 64, onednn_block = 16;

// Returns true if the two conversions cost less than they save.
bool is_faster_last(const Tensor& gradient, const Tensor& input, const Tensor& weight, bool input_gradient) {
  return input_gradient && input.dim() == 4 && is_plain_float(input) && is_plain_float(weight) &&
         is_plain_float(gradient) && input.numel() > 0 && input.size(1) >= least_channels &&
         input.size(1) <= most_channels && gradient.size(1) <= most_channels && gradient.size(1) % onednn_block != 0;
}

std::tuple<Tensor, Tensor, Tensor> backward_last(const Tensor& gradient, const Tensor& input, const Tensor& weight,
                                                 at::OptionalIntArrayRef bias_sizes, IntArrayRef stride,
                                                 IntArrayRef padding, IntArrayRef dilation, bool transposed,
                                                 IntArrayRef output_padding, int64_t groups,
                                                 std::array<bool, 3> wanted) {
  const auto by_libtorch = [&](const Tensor& given, const Tensor& in) {
    return at::compositeexplicitautograd::convolution_backward(given, in, weight, bias_sizes, stride, padding, dilation,
                                                               transposed, output_padding, groups, wanted);
  };
  if (transposed || groups != 1 || !is_faster_last(gradient, input, weight, wanted[0]))
    return by_libtorch(gradient, input);
  RECORD_FUNCTION("levin::convolution_backward", std::vector<c10::IValue>({gradient}));
  constexpr auto last = at::MemoryFormat::ChannelsLast;
  const auto out = by_libtorch(gradient.contiguous(last), input.contiguous(last));
  const Tensor& for_weight = std::get<1>(out);
  return {std::get<0>(out).contiguous(), for_weight.defined() ? for_weight.contiguous() : for_weight, std::get<2>(out)};
}

}  // namespace

void add_convolution(torch::Library& library) { library.impl("convolution_backward", TORCH_FN(backward_last)); }

}  // namespace levin::core
