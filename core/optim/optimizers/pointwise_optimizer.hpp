// Optimizers that update each element independently. Dense CPU tensors of float or double are updated in one pass over
// memory, all others by LibTorch's operators.
#pragma once
#include <cstdint>
#include <vector>

#include "core/optim/optimizers/tensorwise_optimizer.hpp"

namespace levin::core {

class PointwiseOptimizer : public TensorwiseOptimizer {
 public:
  using TensorwiseOptimizer::TensorwiseOptimizer;

 protected:
  // Updates the elements [begin, end) of the slice, as update() does. TensorSlice::state has the order of the slots.
  virtual void kernel(const double* options, const TensorSlice& slice, int64_t begin, int64_t end) const = 0;

  void on_group_added() override;
  void do_step() override;
  bool enqueue(const at::Tensor& param, const at::Tensor& grad, const State& state,
               const StepFactors& factors) override;
  void run_queue(const double* options) override;
  std::vector<TensorSlice>& queue() { return slices_; }

 private:
  bool fill(TensorSlice& slice, const at::Tensor& param, const at::Tensor& grad, const State& state) const;

  std::vector<TensorSlice> slices_;  // of the group being updated
};

}  // namespace levin::core
