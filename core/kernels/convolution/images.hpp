// Images of floats in row-major order and with the channels last.
#pragma once
#include <ATen/core/Tensor.h>

namespace levin::core {

at::Tensor new_images(at::IntArrayRef sizes, at::MemoryFormat format);
// Returns true for images that are in channels_last and not in row-major order.
bool is_last(const at::Tensor& images);
// Returns the images in channels_last; the same tensor if they are.
at::Tensor channels_last(const at::Tensor& images);
// Returns images in row-major order, or unchanged if they shall have the channels last.
at::Tensor in_format(const at::Tensor& images, bool last);

}  // namespace levin::core
