// Forward and backward of a training step as a recorded graph of the device, for trainer.capture. The plugin's code
// does not run in replayed steps, so training_step must depend on the batch and the parameters alone.
//
// After some eager steps, a step is recorded and replayed for each batch of the same shape. The first replays are
// compared with eager steps. If a step cannot be recorded, or a replay differs, the run goes on eagerly, with a
// warning.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/capture/device_graph.hpp"
#include "core/data/source/batch.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/loops/optimization/optimization.hpp"

namespace levin::core {

class CapturedPass {
 public:
  // Runs training_step, then backward of its loss, without hooks. The gradients are undefined before.
  using Compute = std::function<void(const levin_step_in& in, StepOutputs& out)>;
  CapturedPass(const OptimizationParts& parts, Compute compute) : parts_(parts), compute_(std::move(compute)) {}

  // Sets the gradients of the optimizer and the outputs of the pass, as training_step and backward do, and logs what
  // training_step logs. eager: computes the same pass with its hooks; called unless the pass was replayed. Returns true
  // if it was replayed.
  bool run(const TrainingPass& pass, Optimizer& optimizer, StepOutputs& out, const std::function<void()>& eager);

 private:
  // What the recorded step depends on; if it changes, the graph is recorded again.
  struct Facts {
    const void* memory = nullptr;
    const void* identity = nullptr;
    bool requires_grad = false;
    bool operator==(const Facts& o) const {
      return memory == o.memory && identity == o.identity && requires_grad == o.requires_grad;
    }
  };
  struct Logged {
    LogOrigin origin;
    levin_log arguments;
    std::string name, reduction;
    at::Tensor tensor;
    std::vector<int> ranks;
  };

  std::string why_not(const TrainingPass& pass, const Optimizer& optimizer) const;
  bool same_model();
  bool takes(const levin_step_in& in) const;
  void record(const levin_step_in& in, Optimizer& optimizer);
  void record_log(LogOrigin origin, const levin_log& arguments, const std::vector<int>& ranks);
  void replay(const levin_step_in& in);
  void compare(const levin_step_in& in, const StepOutputs& out, const std::function<void()>& eager);
  void hand_out(StepOutputs& out);
  void forget();
  void stop(const std::string& why);

  const OptimizationParts& parts_;
  const Compute compute_;
  bool off_ = false, begun_ = false;
  int eager_steps_ = 0, replays_compared_ = 0;
  std::vector<Facts> model_;
  std::unique_ptr<DeviceGraph> graph_;
  std::vector<at::Tensor> inputs_;                            // at the addresses that the graph reads
  std::vector<std::pair<at::Tensor, at::Tensor>> gradients_;  // each parameter with the gradient that the graph writes
  StepOutputs outputs_;
  std::vector<Logged> logged_;
};

}  // namespace levin::core
