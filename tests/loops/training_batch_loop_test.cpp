#include "core/loops/training_batch_loop.hpp"

#include <ATen/ops/ones.h>

#include <algorithm>
#include <memory>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

constexpr AccumulationWindow whole_window = {true, true, 1, 1.0};

// The batches of one loader, as passed on by the epoch loop.
class OneBatch {
 public:
  OneBatch(LoopScene& scene, const at::Tensor& x)
      : batches_(scene.model, *scene.precision, *scene.strategy, scene.progress) {
    batch_.tensors = {x};
    batch_.publish({"x"});
    group_.parts = {&batch_};
    batches_.move(group_, scene.loaders.get(LEVIN_TRAIN));
  }
  const DeviceBatches& batches() const { return batches_; }

 private:
  Batch batch_;
  BatchGroup group_;
  DeviceBatches batches_;
};

TrainingBatchLoop loop_of(LoopScene& s) {
  return TrainingBatchLoop({s.plan, s.model, s.optimizers, *s.optimization, s.progress, &s.run, s.context.warn, {}});
}

std::vector<int64_t> optimizers_told(const ToyNet& net) {
  std::vector<int64_t> out;
  for (const levin_step_1x& in : net.steps_1x) out.push_back(in.optimizer_idx);
  return out;
}

}  // namespace

TEST_CASE("with several optimizers training_step is called for each, with its index") {
  ToyNet net;
  net.optimizers = 2;
  LoopScene scene(net);
  TrainingBatchLoop loop = loop_of(scene);
  loop.run(OneBatch(scene, at::ones({2, 2})).batches(), whole_window);
  CHECK(optimizers_told(net) == std::vector<int64_t>{0, 1});
  CHECK(loop.outputs().named.size() == 2);
  CHECK(scene.progress.global_step() == 2);
  CHECK(scene.progress.optimizer_idx == -1);
}

TEST_CASE("one optimizer has no index") {
  ToyNet net;
  LoopScene scene(net);
  loop_of(scene).run(OneBatch(scene, at::ones({2, 2})).batches(), whole_window);
  CHECK(optimizers_told(net) == std::vector<int64_t>{-1});
}

TEST_CASE("frequencies give each batch to one optimizer") {
  ToyNet net;
  net.optimizers = 2;
  net.frequencies = {1, 2};
  LoopScene scene(net);
  TrainingBatchLoop loop = loop_of(scene);
  scene.progress.begin_batches(/*goes_on=*/false);
  for (int i = 0; i < 6; ++i) {
    scene.progress.begin_batch();
    loop.run(OneBatch(scene, at::ones({2, 2})).batches(), whole_window);
  }
  CHECK(optimizers_told(net) == std::vector<int64_t>{0, 1, 1, 0, 1, 1});
  CHECK(loop.optimizers_of_batch() == std::vector<uint32_t>{1});
}

TEST_CASE("truncated back-propagation steps on every split of a batch in time") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.optimization.truncated_bptt_steps = 2;
  std::vector<int64_t> lengths;
  net.in_step = [&](const levin_step_in& in) { lengths.push_back(retain(in.batch->tensors[0]).size(1)); };
  loop_of(scene).run(OneBatch(scene, at::ones({3, 5})).batches(), whole_window);
  CHECK(lengths == std::vector<int64_t>{2, 2, 1});
  CHECK(net.steps_1x[2].split_idx == 2);
  CHECK(scene.progress.global_step() == 3);
}

TEST_CASE("the graph of a split is gone when the next split begins, and that of a batch when its hooks are called") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.optimization.truncated_bptt_steps = 1;
  size_t most = 0;
  const auto alive = [&net] {
    size_t n = 0;
    for (const auto& graph : net.graphs) n += graph.expired() ? 0 : 1;
    return n;
  };
  net.in_step = [&](const levin_step_in&) { most = std::max(most, alive()); };
  TrainingBatchLoop loop = loop_of(scene);
  loop.run(OneBatch(scene, at::ones({1, 300})).batches(), whole_window);
  CHECK(net.graphs.size() == 300);
  CHECK(most == 0);
  CHECK(alive() == 0);
  REQUIRE(loop.outputs().named.size() == 300);
  CHECK_FALSE(loop.outputs().named.back().tensor.requires_grad());
  CHECK(loop.outputs().loss.defined());
}

TEST_CASE("while a split is trained, its number and theirs are known") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.optimization.truncated_bptt_steps = 2;
  std::vector<int64_t> seen;
  int ends = 0;
  net.in_step = [&](const levin_step_in&) {
    seen.push_back(scene.progress.place.split_idx);
    seen.push_back(scene.progress.place.num_splits);
  };
  TrainingBatchLoop loop({scene.plan, scene.model, scene.optimizers, *scene.optimization, scene.progress, &scene.run,
                          scene.context.warn, [&ends] { ++ends; }});
  loop.run(OneBatch(scene, at::ones({1, 5})).batches(), whole_window);
  CHECK(seen == std::vector<int64_t>{0, 3, 1, 3, 2, 3});
  CHECK(ends == 2);
  CHECK(scene.progress.place.num_splits == -1);
}

TEST_CASE("a step without a loss is told of once") {
  ToyNet net;
  net.reoptimizers_of_batch_loss = false;
  LoopScene scene(net);
  TrainingBatchLoop loop = loop_of(scene);
  for (int i = 0; i < 2; ++i) loop.run(OneBatch(scene, at::ones({2, 2})).batches(), whole_window);
  REQUIRE(scene.warnings.size() == 1);
  CHECK_THAT(scene.warnings[0], ContainsSubstring("returned no loss"));
}

TEST_CASE("terminate_on_nan ends the fit with the place of the batch") {
  ToyNet net;
  net.infinite_loss = true;
  LoopScene scene(net);
  scene.plan.numerics.terminate_on_nan = true;
  scene.progress.begin_batches(/*goes_on=*/false);
  scene.progress.begin_batch();
  TrainingBatchLoop loop = loop_of(scene);
  CHECK_THROWS_WITH(loop.run(OneBatch(scene, at::ones({2, 2})).batches(), whole_window),
                    ContainsSubstring("epoch 0, batch_idx 0, global_step 0"));
}
