// On which device, and in how many processes, a run computes.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/config/trainer_enums.hpp"

namespace levin::core {

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const char* name() const = 0;
  virtual at::Device device() const = 0;
  virtual at::Tensor to_device(const at::Tensor& tensor) const = 0;
  virtual void backward(const at::Tensor& loss, bool retain_graph) const = 0;
  // Reduces the gradients over all processes, in place; called once before each optimizer step.
  virtual void reduce_gradients(const std::vector<at::Tensor>&) const {}
  virtual int rank() const { return 0; }
  virtual int world_size() const { return 1; }
};

// Throws Error{usage} if the hardware or its part of LibTorch is missing, and for several devices.
std::unique_ptr<Strategy> make_strategy(Accelerator accelerator, const DeviceChoice& devices = {});

// Whether this LibTorch can use a GPU on this machine. The first call loads LibTorch's CUDA part if there is one.
bool cuda_available();
int cuda_device_count();

}  // namespace levin::core
