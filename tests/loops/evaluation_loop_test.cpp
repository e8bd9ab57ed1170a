#include "core/loops/evaluation_loop.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>

#include "catch.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/data/limits.hpp"
#include "core/loops/sanity_check.hpp"
#include "tests/logging/log_call.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

using Calls = std::vector<std::string>;

const std::vector<uint32_t> validation_hooks = {LEVIN_HOOK_VALIDATION_START,       LEVIN_HOOK_VALIDATION_EPOCH_START,
                                                LEVIN_HOOK_VALIDATION_BATCH_START, LEVIN_HOOK_VALIDATION_BATCH_END,
                                                LEVIN_HOOK_VALIDATION_EPOCH_END,   LEVIN_HOOK_VALIDATION_END};

}  // namespace

TEST_CASE("a validation goes through every batch without gradients, with its hooks in order") {
  ToyNet net(0, validation_hooks);
  LoopScene scene(net, 6, 3);
  bool grad = true;
  net.in_step = [&](const levin_step_in&) { grad = at::GradMode::is_enabled(); };
  EvaluationLoop(scene.context, LEVIN_VAL).run(LEVIN_STAGE_VALIDATE, unlimited);
  CHECK(net.calls == Calls{"on_validation_start", "on_validation_epoch_start", "on_validation_batch_start",
                           "validation_step", "on_validation_batch_end", "on_validation_batch_start", "validation_step",
                           "on_validation_batch_end", "on_validation_epoch_end", "on_validation_end"});
  CHECK_FALSE(grad);
  CHECK(scene.progress.of(Counted::val_batch).current.completed == 2);
  CHECK(scene.progress.count("epoch_loop.val_loop.batch_progress.is_last_batch") == 1);
}

TEST_CASE("batches are told by their index and loader, and the place before is put back") {
  ToyNet net;
  LoopScene scene(net, 6, 4);
  scene.progress.begin_batches(/*goes_on=*/false);
  for (int i = 0; i < 7; ++i) scene.progress.begin_batch();
  EvaluationLoop(scene.context, LEVIN_VAL).run(LEVIN_STAGE_VALIDATE, unlimited);
  REQUIRE(net.steps.size() == 2);
  CHECK(net.steps[1].batch_idx == 1);
  CHECK(net.steps[1].dataloader_idx == 0);
  CHECK(scene.progress.batch_idx() == 6);
  CHECK(scene.progress.place.dataloader_idx == -1);
}

TEST_CASE("a batch that a hook skips has no step") {
  ToyNet net(0, {LEVIN_HOOK_VALIDATION_BATCH_START});
  net.answers[LEVIN_HOOK_VALIDATION_BATCH_START] = LEVIN_SKIP;
  LoopScene scene(net, 6, 4);
  EvaluationLoop(scene.context, LEVIN_VAL).run(LEVIN_STAGE_VALIDATE, unlimited);
  CHECK(net.steps.empty());
  CHECK(scene.progress.of(Counted::val_batch).current.ready == 2);
  CHECK(scene.progress.of(Counted::val_batch).current.completed == 0);
}

TEST_CASE("logged values are means over the rows, and the result of the evaluation") {
  ToyNet net;
  LoopScene scene(net, 6, 3);
  double value = 0;
  net.in_step = [&](const levin_step_in&) {
    scene.log.log(scene.model.origin().now(), log_call("m", ++value));  // 1 for a batch of two rows, 2 for one row
  };
  EvaluationLoop loop(scene.context, LEVIN_VAL);
  loop.run(LEVIN_STAGE_VALIDATE, unlimited);
  REQUIRE(loop.results().size() == 1);
  double result = 0;
  scene.log.metric(MetricSet::callback, "m", result);
  CHECK(result == Approx(4.0 / 3));
  CHECK(loop.results()[0].items().front().second == Approx(4.0 / 3));
}

TEST_CASE("without batches, data or a limit there is nothing to validate") {
  ToyNet net(0, validation_hooks);
  LoopScene none(net, 6, -1), no_rows(net, 6, 0), off(net, 6, 4);
  off.plan.limits.val = {0, false};
  CHECK_FALSE(EvaluationLoop(none.context, LEVIN_VAL).enabled());
  CHECK_FALSE(EvaluationLoop(off.context, LEVIN_VAL).enabled());
  EvaluationLoop(no_rows.context, LEVIN_VAL).run(LEVIN_STAGE_VALIDATE, unlimited);
  CHECK(net.calls.empty());
}

TEST_CASE("a sanity check that draws random numbers leaves those of training as they were") {
  ToyNet net;
  LoopScene scene(net, 6, 4);
  scene.plan.validation.num_sanity_val_steps = 1;
  net.in_step = [](const levin_step_in&) { at::rand({5}); };
  EvaluationLoop validation(scene.context, LEVIN_VAL);
  const at::Tensor before = generator_states(at::kCPU).at("cpu");
  run_sanity_check(scene.context, validation);
  CHECK(net.steps.size() == 1);
  CHECK(at::equal(generator_states(at::kCPU).at("cpu"), before));
}

TEST_CASE("the sanity check takes a few batches, and nothing of it is kept") {
  ToyNet net(0, {LEVIN_HOOK_SANITY_CHECK_START, LEVIN_HOOK_SANITY_CHECK_END});
  LoopScene scene(net, 6, 20);
  scene.plan.validation.num_sanity_val_steps = 2;
  net.in_step = [&](const levin_step_in&) { scene.log.log(scene.model.origin().now(), log_call("m", 1)); };
  EvaluationLoop validation(scene.context, LEVIN_VAL);
  run_sanity_check(scene.context, validation);
  CHECK(net.calls == Calls{"on_sanity_check_start", "validation_step", "validation_step", "on_sanity_check_end"});
  double value = 0;
  CHECK_FALSE(scene.log.metric(MetricSet::callback, "m", value));
  CHECK(scene.progress.of(Counted::val_batch).total.ready == 0);
  CHECK(scene.progress.place.stage == LEVIN_STAGE_FIT);
}

TEST_CASE("batches of finished validations of a fit are counted, and checkpoints keep their number") {
  ToyNet net;
  LoopScene scene(net, 6, 4);
  EvaluationLoop validation(scene.context, LEVIN_VAL), resumed(scene.context, LEVIN_VAL);
  validation.run(LEVIN_STAGE_VALIDATE, unlimited);
  const nlohmann::json saved = validation.state_dict();
  CHECK(saved.at("val_batches_seen") == nlohmann::json{2});
  net.in_step = [&](const levin_step_in& in) {
    CHECK(resumed.state_dict() == saved);  // the running validation does not count
    if (in.batch_idx == 0) CHECK(scene.progress.phase() == FitPhase::in_validation);
  };
  resumed.load_state_dict(saved);
  resumed.run(LEVIN_STAGE_VALIDATE, unlimited);
  CHECK(resumed.state_dict().at("val_batches_seen") == nlohmann::json{4});
  resumed.load_state_dict(nlohmann::json::object());  // as in older checkpoints
  CHECK(resumed.state_dict().at("val_batches_seen").empty());
}
