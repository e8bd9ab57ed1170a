// CUDA graphs by LibTorch's at::cuda::CUDAGraph. Linked with LibTorch's CUDA libraries, which the host loads before
// this one.
#include <ATen/Context.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>

#include <mutex>
#include <optional>

#include "core/capture/device_graph.hpp"

namespace levin::core {
namespace {

void let_wait(const at::cuda::CUDAStream& waits, const at::cuda::CUDAStream& works) {
  at::cuda::CUDAEvent reached;
  reached.record(works);
  reached.block(waits);
}

class CudaGraph final : public DeviceGraph {
 public:
  explicit CudaGraph(c10::Device device) : device_(device) {}
  ~CudaGraph() override { graph_.reset(); }

  void record(const std::function<void()>& work) override {
    const c10::cuda::CUDAGuard on_device(device_);
    const at::cuda::CUDAStream before = at::cuda::getCurrentCUDAStream();
    const at::cuda::CUDAStream side = at::cuda::getStreamFromPool(/*isHighPriority=*/false, device_.index());
    let_wait(side, before);
    graph_.emplace();
    pool_ = at::cuda::graph_pool_handle();
    {
      const c10::cuda::CUDAStreamGuard on_side(side);
      // Threads that load data may allocate memory meanwhile.
      graph_->capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      try {
        work();
        graph_->capture_end();
      } catch (...) {
        abandon();
        throw;
      }
    }
    let_wait(before, side);
  }

  void replay() override {
    const c10::cuda::CUDAGuard on_device(device_);
    graph_->replay();
  }

 private:
  // LibTorch leaves the allocator and the generator as they are during a recording if it fails.
  void abandon() {
    try {
      graph_->capture_end();
    } catch (...) {
      try {
        c10::cuda::CUDACachingAllocator::endAllocateToPool(device_.index(), pool_);
        c10::cuda::CUDACachingAllocator::releasePool(device_.index(), pool_);
      } catch (...) {  // LibTorch had ended it before the failure
      }
    }
    graph_.reset();
    cudaGetLastError();
    const at::Generator& generator = at::globalContext().defaultGenerator(device_);
    auto* impl = at::check_generator<at::CUDAGeneratorImpl>(generator);
    const std::lock_guard<std::mutex> lock(impl->mutex_);
    impl->graphsafe_set_state(impl->clone()->graphsafe_get_state());
  }

  const c10::Device device_;
  decltype(at::cuda::graph_pool_handle()) pool_{0, 0};
  std::optional<at::cuda::CUDAGraph> graph_;
};

}  // namespace
}  // namespace levin::core

extern "C" levin::core::DeviceGraph* levin_make_device_graph(const c10::Device& device) {
  return new levin::core::CudaGraph(device);
}
