// How tensors go over the transport. For sources of this folder.
#pragma once
#include <ATen/core/Tensor.h>

#include <chrono>

namespace levin::core {

// How often those who wait look whether they should.
constexpr std::chrono::milliseconds look_up_every{500};

// Gloo adds up neither bfloat16 nor bool in every version.
inline at::ScalarType wire_type(at::ScalarType type) {
  switch (type) {
    case at::kBFloat16:
      return at::kFloat;
    case at::kBool:
      return at::kByte;
    case at::kShort:
      return at::kInt;
    default:
      return type;
  }
}

// The tensor itself where Gloo can take it, or else a copy on the CPU.
inline at::Tensor on_wire(const at::Tensor& tensor, at::ScalarType type) {
  const at::Tensor plain = tensor.detach();
  if (plain.is_sparse()) return plain.cpu().coalesce();
  return plain.to(at::kCPU, type).contiguous();
}
inline at::Tensor on_wire(const at::Tensor& tensor) { return on_wire(tensor, wire_type(tensor.scalar_type())); }

}  // namespace levin::core
