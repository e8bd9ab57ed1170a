// Copies batches to a device on a stream of their own, so that a copy runs while the device computes the step before.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

#include <deque>
#include <functional>
#include <vector>

namespace levin::core {

class BatchCopies {
 public:
  // device: not a CPU.
  explicit BatchCopies(at::Device device);

  // Replaces each tensor by copy(tensor). The current stream's later work waits for the copies, the calling thread does
  // not. Tensors in pinned memory are kept until they are copied, so that nothing reuses their memory before. Waits if
  // the device is many batches behind, because the copies that it has not used yet take up its memory.
  void run(std::vector<at::Tensor>& tensors, const std::function<at::Tensor(const at::Tensor&)>& copy);
  // Waits until the copies are done.
  void finish();

 private:
  struct Copy {
    c10::Event done;
    std::vector<at::Tensor> sources;  // in pinned memory
  };
  void release_sources();
  void limit_lead(const c10::Stream& compute);

  const at::Device device_;
  const c10::Stream stream_;
  std::deque<Copy> running_;
  std::deque<c10::Event> steps_;  // each marks where the compute stream was when a copy began
};

}  // namespace levin::core
