// A new strategy needs only one class, and trains in the unchanged loops.
#include <ATen/ATen.h>

#include "catch.hpp"
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

}  // namespace

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
