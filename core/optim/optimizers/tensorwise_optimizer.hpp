// Optimizers that update each parameter from its own gradient and state, by LibTorch's operators.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/optim/optimizers/builtin_optimizer.hpp"
#include "core/optim/optimizers/fused_queue.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

namespace levin::core {

// A tensor of the state, with the name that it has in Python.
struct StateSlot {
  enum class Size { parameter, scalar };
  const char* name;
  Size size = Size::parameter;  // scalar: one float on the CPU
};

class TensorwiseOptimizer : public BuiltinOptimizer {
 public:
  static constexpr size_t max_state = most_fused_states;
  TensorwiseOptimizer(const OptimSpec& spec, const nlohmann::json& options, std::vector<StateSlot> slots);

  void visit_state(const StateVisitor& visit) override;
  uint64_t expected_state_bytes() const override;

 protected:
  struct State {
    int64_t steps = 0;
    std::array<at::Tensor, max_state> slots;  // undefined if not needed

    float& scalar(size_t slot) { return *slots[slot].data_ptr<float>(); }
  };
  // The tensors for update(), on any device; complex tensors are viewed as real.
  struct Tensors {
    at::Tensor param, grad;
    std::array<at::Tensor, max_state> state;
  };

  // Returns a bit mask: bit i is set if slot i is needed with these options. By default all are.
  virtual unsigned needed_slots(const double*) const { return (1u << slots_.size()) - 1; }
  virtual double initial_state(const double*, size_t /*slot*/) const { return 0; }
  // Returns the factors of step number state.steps (from 1), and updates the scalars of the state. fresh: the state was
  // created for this step.
  virtual StepFactors step_factors(const double* options, State& state, bool fresh) const = 0;
  virtual void update(const double* options, const StepFactors& factors, Tensors& tensors) const = 0;
  // Returns the gradient to step by: negated to maximize, and with the L2 penalty of the parameter.
  static at::Tensor gradient_of(const Tensors& tensors, bool maximize, double l2);
  // Updates tensors on a GPU by one of LibTorch's fused operators, if fuses() is true for these options. skip: as of
  // the operators in torch_compat.hpp.
  virtual bool fuses(const double*) const { return false; }
  virtual void update_fused(const double*, const FusedTensors&, const at::Tensor& /*skip*/) const {}
  virtual bool takes_sparse() const { return false; }
  // Takes on an update in place of update(). Returns false if it cannot.
  virtual bool enqueue(const at::Tensor&, const at::Tensor& /*grad*/, const State&, const StepFactors&) {
    return false;
  }
  // Runs the updates of a group that enqueue() has taken on.
  virtual void run_queue(const double* /*options*/) {}

  const std::vector<StateSlot>& slots() const { return slots_; }
  void on_group_added() override;
  void do_step() override;
  bool takes_mask() const override { return true; }
  nlohmann::json group_values(size_t group) const override;
  void load_group_values(size_t group, const nlohmann::json& values) override;
  bool load_tensor(size_t group, size_t param, const std::string& slot, const at::Tensor& value) override;

 private:
  void step_group(size_t group);
  at::Tensor new_state(const at::Tensor& param, size_t slot) const;
  bool create_state(const double* options, const at::Tensor& param, State& state) const;
  void update_by_operators(const double* options, const StepFactors& factors, const at::Tensor& param,
                           State& state) const;
  void update_unless_masked(const double* options, const StepFactors& factors, Tensors& tensors) const;

  std::vector<StateSlot> slots_;
  FusedQueue fused_;                        // of the group being updated
  std::vector<std::vector<State>> states_;  // [group][parameter]
};

}  // namespace levin::core
