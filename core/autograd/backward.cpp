#include "core/autograd/backward.hpp"

#include <ATen/EmptyTensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones_like.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <memory>
#include <utility>

#include "core/autograd/graph_walk.hpp"

namespace levin::core {
namespace {

// This thread's walk, whose memory is used again by the next backward. A backward within a backward has its own.
class BorrowedWalk {
 public:
  BorrowedWalk() : walk_(spare() ? std::move(spare()) : std::make_unique<GraphWalk>()) {}
  ~BorrowedWalk() {
    walk_->clear();
    spare() = std::move(walk_);
  }
  BorrowedWalk(const BorrowedWalk&) = delete;
  BorrowedWalk& operator=(const BorrowedWalk&) = delete;
  GraphWalk* operator->() { return walk_.get(); }

 private:
  static std::unique_ptr<GraphWalk>& spare() {
    thread_local std::unique_ptr<GraphWalk> walk;
    return walk;
  }
  std::unique_ptr<GraphWalk> walk_;
};

// The gradient of the loss with respect to itself.
at::Tensor one_for(const at::Tensor& loss) {
  if (loss.scalar_type() != at::kFloat) return at::ones_like(loss, at::MemoryFormat::Contiguous);
  at::Tensor one = at::detail::empty_cpu(loss.sizes(), at::kFloat);
  *one.data_ptr<float>() = 1;
  return one;
}

bool walk(const at::Tensor& loss, bool retain_graph) {
  if (!loss.defined() || !loss.is_cpu() || loss.layout() != at::kStrided || loss.numel() != 1) return false;
  if (at::hasCallbacks() || torch::autograd::AnomalyMode::is_enabled()) return false;
  const auto root = loss.grad_fn();
  if (!root) return false;
  BorrowedWalk walk;
  if (!walk->plan(*root)) return false;
  at::Tensor one = one_for(loss);
  const at::AutoGradMode without_graph(false);
  walk->run(static_cast<uint32_t>(loss.output_nr()), std::move(one), retain_graph);
  return true;
}

}  // namespace

void backward(const at::Tensor& loss, bool retain_graph) {
  if (!walk(loss, retain_graph)) loss.backward({}, retain_graph ? c10::optional<bool>(true) : c10::nullopt);
}

}  // namespace levin::core
