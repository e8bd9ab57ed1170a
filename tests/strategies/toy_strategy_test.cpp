// A new strategy needs only one class, and trains in the unchanged loops.
#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/base/value_scope.hpp"
#include "core/components/model_instance.hpp"
#include "core/loops/training_batch_loop.hpp"
#include "core/strategies/common/checked_strategy.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

// Simulates several processes: this one computes its gradients, and those of the others are 0.
class ToyStrategy : public Strategy {
 public:
  ToyStrategy(int processes, std::vector<std::string>& calls) : processes_(processes), calls_(calls) {}
  const char* name() const override { return "toy"; }
  at::Device device() const override { return at::kCPU; }
  ProcessGroup& processes() const override { return group_; }
  void begin(const Model&) override { calls_.push_back("begin"); }
  void after_backward() override { calls_.push_back("after_backward"); }
  void step(const ModelStep& step) override {
    calls_.push_back("step");
    Strategy::step(step);
  }
  void backward(const at::Tensor& loss, bool retain_graph) override {
    calls_.push_back("backward");
    Strategy::backward(loss / processes_, retain_graph);
  }

 private:
  const int processes_;
  std::vector<std::string>& calls_;
  mutable ProcessGroup group_;
};

// Two instances of the model, each of which computes every step. Outside there is one model.
class PairStrategy : public ToyStrategy {
 public:
  using ToyStrategy::ToyStrategy;
  std::unique_ptr<Model> make_model(const MakeModel& make) override {
    second_ = std::make_unique<Model>(make());
    return ToyStrategy::make_model(make);
  }
  void step(const ModelStep& s) override {
    StepOutputs ignored;
    const ModelInstance instance{*second_, device(), turn_, nullptr, "the second one has no such service"};
    {
      const ValueScope<const ModelInstance*> here(model_instance, &instance);
      second_->step(s.in, ignored);
    }
    ToyStrategy::step(s);
  }

 private:
  std::unique_ptr<Model> second_;
  std::recursive_mutex turn_;
};

}  // namespace

TEST_CASE("a strategy of several instances of the model hides them behind the model that it makes") {
  ToyNet first, second;
  LoopScene scene(first);
  std::vector<std::string> calls;
  CheckedStrategy pair(std::make_unique<PairStrategy>(1, calls));
  std::vector<ToyNet*> nets = {&first, &second};
  const auto model = pair.make_model([&] {
    ToyNet* const net = nets.back();
    nets.pop_back();
    return net->created();
  });
  std::vector<bool> speaks;
  for (ToyNet* net : {&first, &second})
    net->in_step = [&](const levin_step_in&) {
      speaks.push_back(speaks_for_run());
      CHECK((&instance_of(*model) == model.get()) == speaks_for_run());
    };
  pair.place(*model, at::kFloat);
  pair.begin(*model);
  pair.begin_optimizers(scene.optimizers.optimizers());

  const auto optimization = make_optimization(
      {scene.plan, *model, scene.hooks, scene.optimizers, *scene.precision, pair, scene.log, scene.progress});
  OnesBatch batch(scene);
  StepOutputs out;
  optimization->run({batch.in, 0, {true, true, 1, 1.0}}, out);
  CHECK(speaks == std::vector<bool>{false, true});
  CHECK(scene.w() == Approx(1 - 0.1));
}

TEST_CASE("a strategy of one class trains in the loops as they are") {
  ToyNet net;
  LoopScene scene(net);
  std::vector<std::string> calls;
  CheckedStrategy toy(std::make_unique<ToyStrategy>(4, calls));
  toy.place(scene.model, at::kFloat);
  toy.begin(scene.model);
  toy.begin_optimizers(scene.optimizers.optimizers());
  const auto optimization = make_optimization(
      {scene.plan, scene.model, scene.hooks, scene.optimizers, *scene.precision, toy, scene.log, scene.progress});

  OnesBatch batch(scene);
  StepOutputs out;
  optimization->run({batch.in, 0, {true, true, 1, 1.0}}, out);

  CHECK(calls == std::vector<std::string>{"begin", "step", "backward", "after_backward"});
  CHECK(scene.w() == Approx(1 - 0.1 / 4));  // the learning rate is 0.1 and the mean gradient 1/4
}
