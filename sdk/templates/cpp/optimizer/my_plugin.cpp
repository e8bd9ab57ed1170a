// Gradient descent with momentum. A model uses it as plan.optimizer("my_plugin", {{"lr", 0.1}}), and a classifier or
// regressor as --model.optimizer my_plugin.
#include <levin/torch.hpp>

namespace {

class MyPlugin : public levin::Optimizer {
 public:
  static constexpr levin_option options[] = {levin::number("lr", "0.01", "learning rate", 0, 10),
                                             levin::number("momentum", "0.9", "momentum factor", 0, 1)};

  // Called once for each parameter. Checkpoints keep the tensors of `state` under their names.
  void init_state(levin::OptimizerParam& param) { param.state["velocity"] = at::zeros_like(param.tensor); }

  // Called without gradients. Schedules change numbers, so they are read from the group at each step.
  void step() {
    for (levin::OptimizerGroup& group : groups())
      for (levin::OptimizerParam& param : group.params) {
        if (!param.tensor.grad().defined()) continue;  // the step gave this parameter no gradient
        at::Tensor& velocity = param.state.at("velocity");
        velocity.mul_(group["momentum"]).add_(param.tensor.grad());
        param.tensor.sub_(velocity, group["lr"]);
      }
  }
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::optimizer<MyPlugin>("my_plugin", "Gradient descent with momentum"))
