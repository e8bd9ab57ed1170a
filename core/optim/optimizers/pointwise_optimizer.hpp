// Optimizers that update each element independently. Dense CPU tensors of float or double are updated in one pass over
// memory, all others by LibTorch's operators.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/optim/optimizers/builtin_optimizer.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {

class PointwiseOptimizer : public BuiltinOptimizer {
 public:
  static constexpr size_t max_state = 3;
  // slots: the names of a parameter's state tensors, in the order of TensorSlice::state.
  PointwiseOptimizer(const OptimSpec& spec, const nlohmann::json& options, std::vector<const char*> slots);

  void visit_state(const StateVisitor& visit) override;
  uint64_t expected_state_bytes() const override;

 protected:
  // The tensors for update(), on any device; complex tensors are viewed as real. Unneeded state is undefined.
  struct Tensors {
    at::Tensor param, grad;
    std::array<at::Tensor, max_state> state;
  };

  // Returns a bit mask: bit i is set if slot i is needed with these options.
  virtual unsigned needed_slots(const double* options) const = 0;
  virtual double initial_state(const double*) const { return 0; }
  // Returns the factors of step number `steps` (from 1). fresh: the state was created for this step.
  virtual StepFactors step_factors(const double* options, int64_t steps, bool fresh) const = 0;
  // Updates the elements [begin, end) of the slice.
  virtual void kernel(const double* options, const TensorSlice& slice, int64_t begin, int64_t end) const = 0;
  // Does the same as kernel(), for a whole tensor, by LibTorch's operators.
  virtual void update(const double* options, const StepFactors& factors, Tensors& tensors) const = 0;
  virtual bool takes_sparse() const { return false; }

  void on_group_added() override;
  void do_step() override;
  bool takes_mask() const override { return true; }
  nlohmann::json group_values(size_t group) const override;
  void load_group_values(size_t group, const nlohmann::json& values) override;
  bool load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) override;

 private:
  struct State {
    int64_t steps = 0;
    std::array<at::Tensor, max_state> slots;
  };

  void step_group(size_t group);
  bool create_state(const double* options, const at::Tensor& param, State& state) const;
  void update_by_operators(const double* options, const StepFactors& factors, const at::Tensor& param,
                           State& state) const;
  void update_unless_masked(const double* options, const StepFactors& factors, Tensors& tensors) const;
  void run(const double* options) const;

  std::vector<const char*> slot_names_;
  std::vector<std::vector<State>> states_;  // [group][parameter]
  std::vector<TensorSlice> slices_;         // of the group being updated
};

}  // namespace levin::core
