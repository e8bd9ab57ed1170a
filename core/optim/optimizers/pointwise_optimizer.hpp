// Optimizers that update each element by itself: one pass over memory for dense CPU tensors of float or double,
// LibTorch's operators for all others.
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
  static constexpr std::size_t kMaxState = 3;
  // slots: what the state tensors of a parameter are called, in the order of TensorSlice::state.
  PointwiseOptimizer(const OptimizerSpec& spec, const nlohmann::json& options, std::vector<const char*> slots);

  void visit_state(const StateVisitor& visit) override;

 protected:
  struct Tensors {  // for update(): real, on any device; undefined state is not needed
    at::Tensor param, grad;
    std::array<at::Tensor, kMaxState> state;
  };

  // Bit i: slot i is needed with these options.
  virtual unsigned needed_slots(const double* options) const = 0;
  virtual double initial_state(const double*) const { return 0; }
  // Sets slice.a and slice.b. steps: including this one. fresh: the state was created for this step.
  virtual void prepare(const double* options, int64_t steps, bool fresh, TensorSlice& slice) const = 0;
  virtual void kernel(const double* options, const TensorSlice& slice, int64_t begin, int64_t end) const = 0;
  // The same by operators; of the slice, only a and b are set.
  virtual void update(const double* options, const TensorSlice& slice, Tensors& tensors) const = 0;
  virtual bool takes_sparse() const { return false; }

  void on_group_added() override;
  void do_step() override;
  nlohmann::json group_values(std::size_t group) const override;
  void load_group_values(std::size_t group, const nlohmann::json& values) override;
  bool load_tensor(std::size_t group, std::size_t param, const std::string& what, const at::Tensor& value) override;

 private:
  struct State {
    int64_t steps = 0;
    std::array<at::Tensor, kMaxState> slots;
  };

  void step_group(std::size_t group);
  bool create_state(const double* options, const at::Tensor& param, State& state) const;
  void update_by_operators(const double* options, const TensorSlice& slice, const at::Tensor& param,
                           State& state) const;
  void run(const double* options) const;

  std::vector<const char*> slot_names_;
  std::vector<std::vector<State>> states_;  // [group][parameter]
  std::vector<TensorSlice> slices_;         // of the group being stepped
};

}  // namespace levin::core
