// The outputs of a network as a service gives them to its caller.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"

namespace levin::core {

// Writes new handles to `out`, which has room for `cap`, and their number to `n_out`.
inline levin_status give_outputs(std::vector<at::Tensor> outputs, levin_tensor** out, uint32_t cap, uint32_t* n_out) {
  if (outputs.size() > cap)
    return failed_service(
        "forward gave " + std::to_string(outputs.size()) + " tensors, and there is room for " + std::to_string(cap),
        LEVIN_E_INVALID);
  *n_out = static_cast<uint32_t>(outputs.size());
  for (at::Tensor& tensor : outputs) *out++ = release(std::move(tensor));
  return LEVIN_OK;
}

}  // namespace levin::core
