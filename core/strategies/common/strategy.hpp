// A strategy distributes a run over devices and processes. The loops call every strategy at the same points.
#pragma once
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/autograd/backward.hpp"
#include "core/components/model.hpp"
#include "core/distributed/process_group.hpp"
#include "core/optim/optimizers/optimizer.hpp"
#include "core/precision/precision.hpp"

namespace levin::core {

class LoggerConnector;

// The arguments of a model step of stage in.stage.
struct ModelStep {
  Model& model;
  Precision& precision;
  const levin_step_in& in;
  StepOutputs& out;
  LoggerConnector& log;  // of the run or trial that the step belongs to
};

using MakeModel = std::function<Created()>;  // calls the plugin: a further instance with the same options each time

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual const char* name() const = 0;
  virtual at::Device device() const = 0;  // the device of batches and losses
  // All devices of this process, device() first.
  virtual std::vector<at::Device> devices() const { return {device()}; }
  virtual ProcessGroup& processes() const = 0;  // among which gradients are reduced

  virtual at::Tensor to_device(const at::Tensor& tensor) const {
    return tensor.device() == device() ? tensor : tensor.to(device(), /*non_blocking=*/true);
  }
  // Makes the model of the run, once. A strategy that computes with several instances of the model hides them behind
  // it.
  virtual std::unique_ptr<Model> make_model(const MakeModel& make) { return std::make_unique<Model>(make()); }
  // Random number generators beside those of LibTorch for device(), by name. They are saved in checkpoints.
  virtual std::map<std::string, at::Generator> further_generators() const { return {}; }
  // Moves the model to its device and casts it to this type.
  virtual void place(Model& model, at::ScalarType dtype) { model.move(device(), dtype); }
  // Called after the model has its weights and before its optimizers are created. Broadcasts the weights of rank 0.
  // Throws Error{usage} with the rank and the parameter if the models differ.
  virtual void begin(const Model&) {}
  // Called after the optimizers are created.
  virtual void begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>&) {}
  // shards_optimizers() returns true if each process keeps optimizer state for only a part of the parameters. owns()
  // returns true if this process keeps the state of this parameter; the result never changes.
  virtual bool shards_optimizers() const { return false; }
  virtual bool owns(const Optimizer&, const at::Tensor& /*param*/) { return true; }
  // While on, optimizer steps do not communicate, so that each process can test alone what fits into its memory.
  virtual void step_alone(bool /*on*/) {}
  // Runs a model step of any stage.
  virtual void step(const ModelStep& s) {
    if (s.precision.is_full_precision()) return s.model.step(s.in, s.out);
    s.precision.forward([&] { s.model.step(s.in, s.out); });
  }
  // Runs `step`, a training step of the model.
  virtual void forward(const std::function<void()>& step) { step(); }
  // Called before each forward of a training step, and before an evaluation.
  virtual void before_forward(const Model&) {}

  virtual void backward(const at::Tensor& loss, bool retain_graph) { core::backward(loss, retain_graph); }
  // Announces that the next backward computes all gradients of the next optimizer step, which may then be reduced
  // during it. bad_loss: see reduce_gradients.
  virtual void expect_step(const Optimizer&, const at::Tensor& /*bad_loss*/) {}
  // Called after each backward, including those of manual optimization. Completes the gradients of this process.
  virtual void after_backward() {}
  // Called before an optimizer step, or before its gradients are clipped. Averages gradients over processes. bad_loss:
  // one float, not 0 if a loss of this process was not finite; on return, not 0 if a loss of any process was not
  // finite. Gradients already reduced, by a backward or here, are not reduced again until a backward adds to them.
  virtual void reduce_gradients(const Optimizer&, const at::Tensor& /*bad_loss*/) {}
  // Marks the optimizer's gradients as not reduced. Called after a step has used them, after they were set to zero, and
  // at the start of a batch, in which some processes may have no loss.
  virtual void used_gradients(const Optimizer&) {}
  // Replaces a loss by its mean over processes, for optimizers that decide by the loss.
  virtual void reduce_loss(const at::Tensor&) {}

  bool several() const { return processes().size() > 1; }
};

}  // namespace levin::core
