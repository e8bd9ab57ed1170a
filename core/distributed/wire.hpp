// How tensors go over the transport. For sources of this folder.
#pragma once
#include <ATen/core/Tensor.h>

#include <chrono>

namespace levin::core {

// How often those who wait look whether they should.
constexpr std::chrono::milliseconds look_up_every{500};

// What goes over a transport: tensors of a kind of device, and which types.
struct Wire {
  at::DeviceType device = at::kCPU;
  bool adds_halves = true, adds_bfloat16 = false;
};
// Gloo's additions of bfloat16 and bool are not in every version.
constexpr Wire gloo_wire{}, mpi_wire{at::kCPU, false, false}, nccl_wire{at::kCUDA, true, true};

inline at::ScalarType wire_type(at::ScalarType type, const Wire& wire = gloo_wire) {
  switch (type) {
    case at::kHalf:
      return wire.adds_halves ? type : at::kFloat;
    case at::kBFloat16:
      return wire.adds_bfloat16 ? type : at::kFloat;
    case at::kBool:
      return at::kByte;
    case at::kShort:
      return at::kInt;
    default:
      return type;
  }
}

// The tensor itself where the transport can take it, or else a copy.
inline at::Tensor on_wire(const at::Tensor& tensor, at::ScalarType type, const Wire& wire = gloo_wire) {
  const at::Tensor plain = tensor.detach();
  if (plain.is_sparse()) return plain.cpu().coalesce();
  const at::Device device = plain.device().type() == wire.device ? plain.device() : at::Device(wire.device);
  return plain.to(device, type).contiguous();
}
inline at::Tensor on_wire(const at::Tensor& tensor, const Wire& wire = gloo_wire) {
  return on_wire(tensor, wire_type(tensor.scalar_type(), wire), wire);
}

}  // namespace levin::core
