// Automatic and manual optimization of one weight, step by step.
#include "core/loops/optimization/optimization.hpp"

#include <ATen/ops/ones.h>

#include "catch.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "errors/code_of.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

using Calls = std::vector<std::string>;

// One step on a batch of ones, whose loss is w and whose gradient is 1.
class OneStep {
 public:
  explicit OneStep(LoopScene& scene) : scene_(scene), batch_(scene) {}
  void run(const AccumulationWindow& window = {true, true, 1, 1.0}) {
    scene_.optimization->run({batch_.in, 0, window}, outputs);
  }
  StepOutputs outputs;

 private:
  LoopScene& scene_;
  OnesBatch batch_;
};

// The scene used by the model's overrides.
LoopScene* current = nullptr;

const std::vector<uint32_t> step_hooks = {LEVIN_HOOK_BEFORE_ZERO_GRAD, LEVIN_HOOK_BEFORE_BACKWARD,
                                          LEVIN_HOOK_AFTER_BACKWARD, LEVIN_HOOK_BEFORE_OPTIMIZER_STEP};

}  // namespace

TEST_CASE("an automatic step is forward, zero_grad, backward and the optimizer's step") {
  ToyNet net(0, step_hooks);
  LoopScene scene(net);
  OneStep step(scene);
  step.run();
  CHECK(net.calls == Calls{"training_step", "on_before_zero_grad", "on_before_backward", "on_after_backward",
                           "on_before_optimizer_step"});
  CHECK(scene.w() == Approx(0.9));
  CHECK(scene.progress.of(Counted::optimizer_step).total.completed == 1);
  CHECK(scene.progress.of(Counted::zero_grad).total.completed == 1);
  CHECK(step.outputs.loss.item().toDouble() == 1.0);
}

TEST_CASE("within a window gradients are summed, and nothing steps before its end") {
  ToyNet net;
  LoopScene scene(net);
  OneStep step(scene);
  step.run({true, false, 2, 1.0});
  CHECK(scene.w() == 1.0);
  CHECK(scene.progress.global_step() == 0);
  CHECK(net.weight.grad().item().toDouble() == Approx(0.5));
  step.run({false, true, 2, 1.0});
  CHECK(scene.w() == Approx(0.9));
  CHECK(scene.progress.global_step() == 1);
}

TEST_CASE("the factor of a short window scales its gradients before the step") {
  ToyNet net;
  LoopScene scene(net);
  OneStep(scene).run({true, true, 4, 4.0});
  CHECK(scene.w() == Approx(0.9));
}

TEST_CASE("a factor of the learning rates is that of the steps alone: the optimizer keeps its rates") {
  ToyNet net;
  LoopScene scene(net);
  OneStep step(scene);
  scene.optimization->set_lr_factor(0.5);
  step.run();
  CHECK(scene.w() == Approx(0.95));
  CHECK(scene.lr() == 0.1);
  scene.optimization->warm_up(2, 1000000);  // both factors count
  step.run();
  CHECK(scene.w() == Approx(0.925));
  CHECK(scene.lr() == 0.1);
  scene.optimization->set_lr_factor(0);
  step.run();
  CHECK(scene.w() == Approx(0.925));
}

TEST_CASE("gradients are clipped as the options say") {
  for (const auto algorithm : {GradientClipAlgorithm::norm, GradientClipAlgorithm::value}) {
    ToyNet net;
    LoopScene scene(net);
    scene.plan.optimization.gradient_clip_val = 0.5;
    scene.plan.optimization.gradient_clip_algorithm = algorithm;
    OneStep(scene).run();
    CHECK(scene.w() == Approx(0.95));
  }
}

TEST_CASE("the model's own backward is called once, and its manual_backward is the bare one") {
  ToyNet net(0, step_hooks);
  net.table.backward = [](void* self, const levin_optim_call* call) -> levin_status {
    ToyNet::of(self).calls.push_back("backward");
    current->optimization->manual_backward(retain(call->loss), false);
    return LEVIN_OK;
  };
  LoopScene scene(net);
  current = &scene;
  OneStep(scene).run();
  CHECK(net.calls == Calls{"training_step", "on_before_zero_grad", "on_before_backward", "backward",
                           "on_after_backward", "on_before_optimizer_step"});
  CHECK(scene.w() == Approx(0.9));
}

TEST_CASE("the model's own optimizer_step gets forward and backward as a closure") {
  ToyNet net;
  net.table.optimizer_step = [](void* self, const levin_optim_call* call) -> levin_status {
    ToyNet::of(self).calls.push_back("optimizer_step");
    return serve([&] { current->optimization->manual_step(0, call->closure, call->ctx); });
  };
  LoopScene scene(net);
  current = &scene;
  OneStep(scene).run();
  CHECK(net.calls == Calls{"optimizer_step", "training_step"});
  CHECK(scene.w() == Approx(0.9));
  CHECK(scene.progress.global_step() == 1);
}

TEST_CASE("overrides take the place of zero_grad and clipping") {
  ToyNet net;
  net.table.optimizer_zero_grad = [](void* self, const levin_optim_call*) -> levin_status {
    ToyNet::of(self).calls.push_back("optimizer_zero_grad");
    return LEVIN_OK;
  };
  net.table.configure_gradient_clipping = [](void* self, const levin_optim_call* call) -> levin_status {
    ToyNet::of(self).calls.push_back("clip " + std::to_string(call->clip_val).substr(0, 3));
    return LEVIN_OK;
  };
  LoopScene scene(net);
  scene.plan.optimization.gradient_clip_val = 0.5;
  OneStep step(scene);
  step.run();
  step.run();
  CHECK(net.calls ==
        Calls{"training_step", "optimizer_zero_grad", "clip 0.5", "training_step", "optimizer_zero_grad", "clip 0.5"});
  CHECK(scene.w() == Approx(1 - 0.1 - 0.2));  // gradients are accumulated and not clipped
}

TEST_CASE("manual_backward within an automatic training_step is refused") {
  ToyNet net;
  LoopScene scene(net);
  net.in_step = [&](const levin_step_in&) { scene.optimization->manual_backward(net.weight.sum(), false); };
  CHECK_THROWS_WITH(OneStep(scene).run(), ContainsSubstring("the model's optimization is automatic"));
}

TEST_CASE("a loss that cannot be trained on is refused by name") {
  ToyNet net;
  LoopScene scene(net);
  net.weight.set_requires_grad(false);
  CHECK_THROWS_WITH(OneStep(scene).run(), ContainsSubstring("libnet.so: net.training_step: the loss does not depend"));
  CHECK(code_of([&] { OneStep(scene).run(); }) == "E0114");
}

TEST_CASE("in manual optimization the model does it all, and each of its steps counts") {
  ToyNet net(LEVIN_F_MANUAL, step_hooks);
  LoopScene scene(net);
  net.in_step = [&](const levin_step_in&) {
    for (int i = 0; i < 2; ++i) {
      scene.optimization->zero_grad(0);
      scene.optimization->manual_backward(net.weight.sum(), false);
      scene.optimization->manual_step(0, nullptr, nullptr);
    }
  };
  scene.plan.optimization.gradient_clip_val = 0.01;  // only used by automatic optimization
  OneStep(scene).run();
  CHECK(scene.w() == Approx(0.8));
  CHECK(scene.progress.global_step() == 2);
  CHECK(scene.progress.of(Counted::manual_step).total.completed == 2);
  CHECK(scene.progress.of(Counted::optimizer_step).total.ready == 0);
  CHECK(net.calls == Calls{"training_step", "on_before_backward", "on_after_backward", "on_before_optimizer_step",
                           "on_before_backward", "on_after_backward", "on_before_optimizer_step"});
}

TEST_CASE("an optimizer decides by the loss of each evaluation of its closure, and not by an earlier one") {
  struct Closure {
    Optimization& optimization;
    ToyNet& net;
    int evaluations = 0;
    int with_loss;  // number of evaluations, from the first, that have a loss
  };
  const auto evaluate = [](void* ctx) -> levin_status {
    auto& c = *static_cast<Closure*>(ctx);
    c.optimization.zero_grad(0);
    if (c.evaluations++ >= c.with_loss) return LEVIN_OK;
    return serve([&] { c.optimization.manual_backward((c.net.weight - 3).square().sum(), false); });
  };
  for (const int with_loss : {0, 1, 100}) {
    ToyNet net(LEVIN_F_MANUAL);
    net.optimizer = "lbfgs";
    LoopScene scene(net);
    Closure closure{*scene.optimization, net, 0, with_loss};
    net.in_step = [&](const levin_step_in&) { scene.optimization->manual_step(0, evaluate, &closure); };
    if (with_loss == 100) {
      OneStep(scene).run();
      CHECK(closure.evaluations > 1);
      CHECK(scene.w() > 1);
    } else {
      CHECK_THROWS_WITH(OneStep(scene).run(),
                        ContainsSubstring("the closure of the optimizer 'lbfgs' computed no loss"));
      CHECK(closure.evaluations == with_loss + 1);
    }
  }
}

TEST_CASE("what a pass brings ends with it: a backward between two passes belongs to no step") {
  ToyNet net;
  LoopScene scene(net);
  OneStep(scene).run({true, true, 2, 2.0});
  const double after = scene.w();
  net.weight.mutable_grad().reset();
  scene.optimization->manual_backward(net.weight.sum(), false);
  scene.optimization->manual_step(0, nullptr, nullptr);
  CHECK(scene.w() == Approx(after - 0.1));  // without the factor of the pass's window
}

TEST_CASE("a run without optimizers calls all hooks and moves nothing") {
  ToyNet net(0, step_hooks);
  net.optimizers = 0;
  LoopScene scene(net);
  OneStep(scene).run();
  CHECK(scene.w() == 1.0);
  CHECK(scene.progress.global_step() == 1);
  CHECK(net.calls.back() == "on_before_optimizer_step");
}
