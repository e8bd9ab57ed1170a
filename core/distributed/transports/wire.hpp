// Conversion of tensors for a transport. For the sources of collectives, and for gradients.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>

#include <chrono>

namespace levin::core {

// How often waiting calls check whether to go on waiting.
constexpr std::chrono::milliseconds look_up_every{500};

// The device and the types of tensors that a transport takes.
struct Wire {
  at::DeviceType device = at::kCPU;
  bool adds_halves = true, adds_bfloat16 = false;
  bool averages = false;  // computes means itself, without overflow in half types
};
constexpr Wire gloo_wire{};  // not every version of Gloo can add bfloat16 and bool

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

// Returns a complex tensor as a real one with an additional last dimension of size 2, and other tensors unchanged.
inline at::Tensor as_real(const at::Tensor& tensor) {
  return tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor;
}

// Returns the tensor itself if the transport can take it, otherwise a copy. Complex tensors are sent as real ones.
inline at::Tensor on_wire(const at::Tensor& tensor, at::ScalarType type, const Wire& wire = gloo_wire) {
  const at::Tensor plain = as_real(tensor.detach());
  if (plain.is_sparse()) return plain.cpu().coalesce();
  const at::Device device = plain.device().type() == wire.device ? plain.device() : at::Device(wire.device);
  return plain.to(device, type).contiguous();
}
inline at::Tensor on_wire(const at::Tensor& tensor, const Wire& wire = gloo_wire) {
  return on_wire(tensor, wire_type(c10::toRealValueType(tensor.scalar_type()), wire), wire);
}

// Copies the received data into the tensor for which on_wire() was called.
inline void off_wire(const at::Tensor& arrived, const at::Tensor& tensor) {
  if (arrived.is_alias_of(tensor)) return;
  const bool is_complex = tensor.is_complex() && !arrived.is_complex();
  at::Tensor(tensor.detach()).copy_(is_complex ? at::view_as_complex(arrived) : arrived);
}

}  // namespace levin::core
