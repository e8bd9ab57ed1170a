#include "core/kernels/convolution/images.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/kernels/common/parallel_for.hpp"
#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using at::MemoryFormat;
using at::Tensor;

// Copies the matrix [rows, columns] of each image transposed.
Tensor transposed(const Tensor& images, int64_t rows, int64_t columns, MemoryFormat format) {
  const Tensor out = new_images(images.sizes(), format);
  const float* const from = images.data_ptr<float>();
  float* const to = out.data_ptr<float>();
  const int64_t size = rows * columns;
  parallel_for(images.size(0), std::max<int64_t>(1, grain_size / size), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) vector_loops()->transpose(from + i * size, rows, columns, to + i * size);
  });
  return out;
}

}  // namespace

Tensor new_images(at::IntArrayRef sizes, MemoryFormat format) { return at::empty(sizes, at::kFloat, format); }

bool is_last(const Tensor& images) {
  return images.is_contiguous(MemoryFormat::ChannelsLast) && !images.is_contiguous();
}

Tensor channels_last(const Tensor& images) {
  if (images.is_contiguous(MemoryFormat::ChannelsLast)) return images;
  if (!images.is_contiguous() || !vector_loops()) return images.contiguous(MemoryFormat::ChannelsLast);
  return transposed(images, images.size(1), images.size(2) * images.size(3), MemoryFormat::ChannelsLast);
}

Tensor in_format(const Tensor& images, bool last) {
  if (last || images.is_contiguous()) return images;
  if (!images.is_contiguous(MemoryFormat::ChannelsLast) || !vector_loops()) return images.contiguous();
  return transposed(images, images.size(2) * images.size(3), images.size(1), MemoryFormat::Contiguous);
}

}  // namespace levin::core
