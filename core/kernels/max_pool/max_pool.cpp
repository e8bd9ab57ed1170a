#include "core/kernels/max_pool/max_pool.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool2d_with_indices_cpu_dispatch.h>
#include <ATen/record_function.h>

#include <limits>
#include <tuple>
#include <vector>

#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/max_pool/max_pool_rows.hpp"
#include "core/kernels/max_pool/pixel_loops.hpp"

namespace levin::core {
namespace {

using at::IntArrayRef;
using at::Tensor;

constexpr int64_t most_stride = 8;  // MaxPoolPlanes takes memory for each

// axis: 0 = of rows, 1 = of columns. results is 0 for arguments that LibTorch refuses.
PoolAxis axis_of(size_t axis, int64_t size, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                 IntArrayRef dilation) {
  const auto at = [axis](IntArrayRef values) { return values.size() == 1 ? values[0] : values[axis]; };
  PoolAxis out{size, at(kernel), at(stride.empty() ? kernel : stride), at(padding), at(dilation), 0};
  const bool valid =
      out.kernel > 0 && out.stride > 0 && out.dilation > 0 && out.padding >= 0 && 2 * out.padding <= out.kernel;
  const int64_t room = size + 2 * out.padding - out.dilation * (out.kernel - 1) - 1;
  if (valid && room >= 0) out.results = room / out.stride + 1;
  return out;
}

bool are_lists(IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation) {
  const auto one_or_two = [](IntArrayRef values) { return values.size() == 1 || values.size() == 2; };
  return one_or_two(kernel) && (stride.empty() || one_or_two(stride)) && one_or_two(padding) && one_or_two(dilation);
}

struct Window {
  // rows.results is 0 if LibTorch has to compute.
  Window(const Tensor& input, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
         bool ceil_mode) {
    if (ceil_mode || (input.dim() != 3 && input.dim() != 4) || input.numel() == 0 ||
        !are_lists(kernel, stride, padding, dilation))
      return;
    rows = axis_of(0, input.size(-2), kernel, stride, padding, dilation);
    columns = axis_of(1, input.size(-1), kernel, stride, padding, dilation);
    if (in_plane() > std::numeric_limits<int32_t>::max() / 4) rows.results = 0;
  }
  PoolAxis rows{}, columns{};
  int64_t in_plane() const { return rows.size * columns.size; }
  int64_t out_plane() const { return rows.results * columns.results; }
  // Planes of one channel or of `channels` ones, for which another thread is worth its start.
  int64_t grain(int64_t channels) const {
    return std::max<int64_t>(1, grain_size / ((in_plane() + out_plane()) * channels));
  }
};

std::tuple<Tensor, Tensor> pool_by_rows(const Tensor& input, const Window& window) {
  std::vector<int64_t> sizes = input.sizes().vec();
  sizes[sizes.size() - 2] = window.rows.results;
  sizes[sizes.size() - 1] = window.columns.results;
  Tensor output = at::empty(sizes, input.options()), indices = at::empty(sizes, input.options().dtype(at::kLong));
  const float* const in = input.data_ptr<float>();
  float* const out = output.data_ptr<float>();
  int64_t* const positions = indices.data_ptr<int64_t>();
  const int64_t in_plane = window.in_plane(), out_plane = window.out_plane();
  parallel_for(input.numel() / in_plane, window.grain(1), [&](int64_t begin, int64_t end) {
    MaxPoolPlanes planes(window.rows, window.columns);
    for (int64_t i = begin; i < end; ++i)
      planes.pool(in + i * in_plane, out + i * out_plane, positions + i * out_plane);
  });
  return {output, indices};
}

std::tuple<Tensor, Tensor> pool_by_pixels(const Tensor& input, const Window& window) {
  const int64_t channels = input.size(1);
  const std::vector<int64_t> sizes = {input.size(0), channels, window.rows.results, window.columns.results};
  const auto options = input.options().memory_format(at::MemoryFormat::ChannelsLast);
  Tensor output = at::empty(sizes, options), indices = at::empty(sizes, options.dtype(at::kLong));
  const float* const in = input.data_ptr<float>();
  float* const out = output.data_ptr<float>();
  int64_t* const positions = indices.data_ptr<int64_t>();
  const int64_t in_image = window.in_plane() * channels, out_image = window.out_plane() * channels;
  parallel_for(input.size(0), window.grain(channels), [&](int64_t begin, int64_t end) {
    pool_pixels(window.rows, window.columns, channels, in + begin * in_image, in + input.numel(),
                out + begin * out_image, out + end * out_image, positions + begin * out_image);
  });
  return {output, indices};
}

std::tuple<Tensor, Tensor> max_pool(const Tensor& input, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                                    IntArrayRef dilation, bool ceil_mode) {
  const Window window(input, kernel, stride, padding, dilation, ceil_mode);
  const bool by_rows = is_plain_float(input) && window.columns.stride <= most_stride;
  const bool by_pixels = is_channels_last_float(input) && is_fast_window(window.rows, window.columns);
  if (window.out_plane() == 0 || !(by_rows || by_pixels))
    return at::cpu::max_pool2d_with_indices(input, kernel, stride, padding, dilation, ceil_mode);
  RECORD_FUNCTION("levin::max_pool2d_with_indices", std::vector<c10::IValue>({input}));
  return by_rows ? pool_by_rows(input, window) : pool_by_pixels(input, window);
}

}  // namespace

void add_max_pool(torch::Library& library) { library.impl("max_pool2d_with_indices", TORCH_FN(max_pool)); }

}  // namespace levin::core
