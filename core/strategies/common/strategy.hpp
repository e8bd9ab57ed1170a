// How the devices and processes of a run work together. The loops call it at the same points whatever it is.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/components/model.hpp"
#include "core/distributed/process_group.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace levin::core {

class Precision;
class Replicas;

// A step of the model, as in.stage says, and what it computes in.
struct ModelStep {
  Model& model;
  Precision& precision;
  const levin_step_in& in;
  StepOutputs& out;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const char* name() const = 0;
  virtual at::Device device() const = 0;  // on which batches come, and losses go
  // All devices of this process, device() first.
  virtual std::vector<at::Device> devices() const { return {device()}; }
  virtual ProcessGroup& processes() const = 0;  // among which gradients are reduced

  virtual at::Tensor to_device(const at::Tensor& tensor) const {
    return tensor.device() == device() ? tensor : tensor.to(device(), /*non_blocking=*/true);
  }
  // How many instances of the model the strategy needs, with the run's own one. All of them are there when use() is
  // called; they outlive every step.
  virtual size_t instances() const { return 1; }
  virtual void use(Replicas&) {}
  // The generators of random numbers of the instances but the first, by name; they belong into checkpoints.
  virtual std::map<std::string, at::Generator> replica_generators() const { return {}; }
  // Brings the model to its device, and to this type.
  virtual void place(Model& model, at::ScalarType dtype) { model.move(device(), dtype); }
  // Once the model has its weights, before its optimizers are made: all processes get those of the first one. Throws
  // Error{usage} that names the rank and the parameter if the models differ.
  virtual void begin(const Model&) {}
  // Once the optimizers are made.
  virtual void begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>&) {}
  // Whether each process has the state of a part of the parameters alone, and of which: the same part ever after.
  virtual bool shards_optimizers() const { return false; }
  virtual bool owns(const Optimizer&, const at::Tensor& /*param*/) { return true; }
  // While on, steps of optimizers send nothing: each process tries by itself what it has memory for.
  virtual void step_alone(bool /*on*/) {}
  // Runs a step of the model, of any stage.
  virtual void step(const ModelStep& step);
  // Around a step of the model's training.
  virtual void forward(const std::function<void()>& step) { step(); }
  // Before each forward of a training step, and before an evaluation.
  virtual void before_forward(const Model&) {}

  virtual void backward(const at::Tensor& loss, bool retain_graph);
  // The next backward computes the gradients of the optimizer's coming step, all of them: they may be reduced while it
  // runs. bad_loss: as in reduce_gradients.
  virtual void expect_step(const Optimizer&, const at::Tensor& /*bad_loss*/) {}
  // After each backward, also the model's own: its gradients are those of all instances.
  virtual void after_backward() {}
  // Before an optimizer's step, or before its gradients are clipped for it: they become those over all processes.
  // bad_loss: one float, not 0 if a loss of this process was not finite; becomes that of any. What was reduced, by a
  // backward or here, is not reduced again while no backward adds to it.
  virtual void reduce_gradients(const Optimizer&, const at::Tensor& /*bad_loss*/) {}
  // The gradients that come are not reduced yet: a step has taken the last ones, they were set to zero, or a batch
  // begins, in which not every process may have a loss.
  virtual void used_gradients(const Optimizer&) {}
  // A loss by which an optimizer decides, in place: the mean of all processes.
  virtual void reduce_loss(const at::Tensor&) {}

  bool several() const { return processes().size() > 1; }
};

}  // namespace levin::core
