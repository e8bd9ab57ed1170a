// Collects the tensors of one parameter group that lie on GPUs, so that one operator of LibTorch updates all of a
// device.
#pragma once
#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <vector>

namespace levin::core {

constexpr size_t most_fused_states = 3;

// Tensors of one device, data type and step number.
struct FusedTensors {
  std::vector<at::Tensor> params, grads;
  std::array<std::vector<at::Tensor>, most_fused_states> state;  // empty for an undefined slot
  std::vector<at::Tensor> steps;  // the number of each parameter's step, from 1: one float on the device
  bool fresh = false;             // the state was created for this step
};

class FusedQueue {
 public:
  // Returns false if LibTorch's fused operators cannot update such tensors.
  bool add(const at::Tensor& param, const at::Tensor& grad, const std::array<at::Tensor, most_fused_states>& state,
           int64_t step, bool fresh);
  // Passes on what was added since the last call. skip: the optimizer's mask, may be undefined; it is passed on as a
  // float on the tensors' device.
  template <class F>
  void run(const at::Tensor& skip, const F& f) {
    for (Batch& batch : batches_) {
      set_steps(batch);
      f(batch.tensors, flag_on(skip, batch.device));
    }
    batches_.clear();
  }
  void clear() { batches_.clear(); }

 private:
  struct Batch {
    at::Device device;
    at::ScalarType dtype;
    int64_t step;
    FusedTensors tensors;
  };
  // A step number on its device. It is increased there, so that a recorded step increases it too.
  struct Count {
    at::Tensor value;
    int64_t known = -1;
  };
  Batch& batch_of(const at::Tensor& param, int64_t step, bool fresh);
  void set_steps(Batch& batch);
  static at::Tensor flag_on(const at::Tensor& skip, at::Device device);

  std::vector<Batch> batches_;
  std::vector<Count> counts_;  // one for each device
};

}  // namespace levin::core
