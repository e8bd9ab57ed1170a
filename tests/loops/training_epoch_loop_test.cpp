// One epoch of three batches of two rows, with a model defined in the test.
#include "core/loops/fit_loop.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/loops/loop_scene.hpp"
#include "tests/progress/saved_progress.hpp"

using namespace levin::core;

namespace {

using Calls = std::vector<std::string>;

struct Epoch {
  explicit Epoch(LoopScene& s)
      : validation(s.context, LEVIN_VAL),
        schedules(s.model, s.optimizers, s.log, s.progress, s.hooks.run(), s.context.warn),
        loop(s.context, s.optimizers, *s.optimization, schedules, validation),
        fit(s.context, s.optimizers, *s.optimization, validation) {}
  void resume(const nlohmann::json& state) {
    const FoundPosition found = fit.load_state_dict(state);
    loop.run(3, found);
  }
  EvaluationLoop validation;
  ScheduleStepper schedules;
  TrainingEpochLoop loop;
  FitLoop fit;
};

int64_t count_of(const Calls& calls, const std::string& name) { return std::count(calls.begin(), calls.end(), name); }

}  // namespace

TEST_CASE("an epoch trains every batch, steps after each and counts them") {
  ToyNet net;
  LoopScene scene(net);
  Epoch epoch(scene);
  epoch.loop.run(3);
  CHECK(net.calls == Calls{"training_step", "training_step", "training_step"});
  CHECK(scene.progress.of(Counted::batch).total.completed == 3);
  CHECK(scene.progress.batch_idx() == 2);
  CHECK(scene.progress.global_step() == 3);
  CHECK(scene.progress.batches_that_stepped() == 3);
  CHECK(scene.progress.is_last_batch());
  CHECK(epoch.loop.reached_all_batches());
  CHECK(scene.w() == Approx(1 - 0.1 * (0.5 + 2.5 + 4.5)));
}

TEST_CASE("the splits of a batch count as batches that stepped") {
  ToyNet net;
  LoopScene scene(net);
  scene.plan.optimization.truncated_bptt_steps = 1;  // the shape of a batch is [2, 2]
  Epoch(scene).loop.run(3);
  CHECK(scene.progress.batches_that_stepped() == 6);
  CHECK(scene.progress.global_step() == 6);
  CHECK(scene.progress.of(Counted::batch).total.completed == 3);
}

TEST_CASE("hooks of a batch come in their order") {
  ToyNet net(0, {LEVIN_HOOK_TRAIN_BATCH_START, LEVIN_HOOK_TRAIN_BATCH_END, LEVIN_HOOK_BEFORE_ZERO_GRAD,
                 LEVIN_HOOK_BEFORE_BACKWARD, LEVIN_HOOK_AFTER_BACKWARD, LEVIN_HOOK_BEFORE_OPTIMIZER_STEP});
  LoopScene scene(net, 2);
  Epoch(scene).loop.run(1);
  CHECK(net.calls == Calls{"on_train_batch_start", "training_step", "on_before_zero_grad", "on_before_backward",
                           "on_after_backward", "on_before_optimizer_step", "on_train_batch_end"});
}

TEST_CASE("windows of accumulation step at their end and at the end of the epoch") {
  ToyNet net;
  LoopScene scene(net);
  scene.accumulation.set_batches(2);
  Epoch(scene).loop.run(3);
  CHECK(scene.progress.global_step() == 2);
  CHECK(scene.progress.batches_that_stepped() == 2);
  CHECK_FALSE(scene.accumulation.is_open());
  CHECK(scene.w() == Approx(1 - 0.1 * ((0.5 + 2.5) / 2 + 4.5 / 2)));
}

TEST_CASE("a skipped batch is counted but not trained, a skipped epoch ends") {
  struct Case {
    levin_status answer;
    int64_t steps, completed, hooks;
  };
  for (const Case& c : {Case{LEVIN_SKIP, 0, 3, 3}, Case{LEVIN_SKIP_EPOCH, 0, 0, 1}}) {
    ToyNet net(0, {LEVIN_HOOK_TRAIN_BATCH_START});
    net.answers[LEVIN_HOOK_TRAIN_BATCH_START] = c.answer;
    LoopScene scene(net);
    Epoch(scene).loop.run(3);
    CHECK(count_of(net.calls, "training_step") == c.steps);
    CHECK(count_of(net.calls, "on_train_batch_start") == c.hooks);
    CHECK(scene.progress.of(Counted::batch).total.completed == c.completed);
    CHECK(scene.progress.global_step() == 0);
  }
}

TEST_CASE("a stop that is asked for ends the epoch after the batch, unless a minimum is not reached") {
  for (const int64_t min_steps : {0, 3}) {
    ToyNet net(0, {LEVIN_HOOK_TRAIN_BATCH_END});
    net.answers[LEVIN_HOOK_TRAIN_BATCH_END] = LEVIN_STOP;
    LoopScene scene(net);
    scene.plan.duration.min_steps = min_steps;
    Epoch(scene).loop.run(3);
    CHECK(scene.progress.global_step() == (min_steps ? 3 : 1));
    CHECK(scene.progress.stop.reason() == "requested by the model");
    CHECK(scene.warnings.size() == (min_steps ? 1u : 0u));
  }
}

TEST_CASE("schedules by step move after each step, those by epoch after the last batch") {
  struct Case {
    std::string interval;
    double lr;
  };
  for (const Case& c : {Case{"step", 0.1 / 8}, Case{"epoch", 0.1 / 2}}) {
    ToyNet net;
    net.scheduler = "exponential";
    net.interval = c.interval;
    LoopScene scene(net);
    Epoch(scene).loop.run(3);
    CHECK(scene.lr() == Approx(c.lr));
  }
}

TEST_CASE("a resumed epoch goes on behind the batches that are done") {
  ToyNet net;
  LoopScene scene(net);
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.total = saved.batch.current = {2, 2, 2, 2};
  saved.optimizer_step.total = saved.optimizer_step.current = {2, 2, 2, 2};
  Epoch(scene).resume(saved.state_dict());
  REQUIRE(net.steps.size() == 1);
  CHECK(net.steps[0].batch_idx == 2);
  CHECK(net.steps[0].global_step == 2);
  CHECK(scene.progress.global_step() == 3);
}

TEST_CASE("a batch that a checkpoint had interrupted behind its step is finished, not done again") {
  ToyNet net;
  LoopScene scene(net);
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.total = saved.batch.current = {1, 1, 1, 0};
  saved.optimizer_step.total = saved.optimizer_step.current = {1, 1, 1, 1};
  saved.tail = 1;
  Epoch(scene).resume(saved.state_dict());
  CHECK(net.steps.size() == 2);
  CHECK(scene.progress.of(Counted::batch).current.completed == 3);
  CHECK(scene.progress.batches_that_stepped() == 3);
}

TEST_CASE("a validation that a checkpoint had interrupted is repeated, whatever the clock says") {
  ToyNet net;
  LoopScene scene(net, 6, 2);
  scene.plan.validation.val_check_interval.seconds = 1e6;
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.total = saved.batch.current = {1, 1, 1, 1};
  saved.tail = 1;
  saved.validating = true;
  Epoch(scene).resume(saved.state_dict());
  CHECK(net.calls == Calls{"validation_step", "training_step", "training_step"});
}

TEST_CASE("a fit that goes on in the validation after a skipped batch counts no batch that stepped") {
  ToyNet net(0, {LEVIN_HOOK_TRAIN_BATCH_START, LEVIN_HOOK_VALIDATION_START});
  net.answers[LEVIN_HOOK_TRAIN_BATCH_START] = LEVIN_SKIP;
  LoopScene whole(net, 6, 2);
  whole.plan.validation.val_check_interval = {1, false, {}};
  whole.progress.begin_epoch();
  whole.progress.start_epoch();
  Epoch whole_epoch(whole);
  std::vector<nlohmann::json> saved;
  net.in_hook = [&](const levin_event& e) {
    if (e.hook == LEVIN_HOOK_VALIDATION_START) saved.push_back(whole_epoch.fit.state_dict());
  };
  whole_epoch.loop.run(3);
  REQUIRE(saved.size() == 3);
  CHECK(whole.progress.batches_that_stepped() == 0);
  net.in_hook = {};
  LoopScene rest(net, 6, 2);
  rest.plan.validation.val_check_interval = {1, false, {}};
  Epoch(rest).resume(saved[0]);
  CHECK(rest.progress.of(Counted::batch).total.completed == 3);
  CHECK(rest.progress.batches_that_stepped() == 0);
}

TEST_CASE("a validation within the epoch leaves the place of training as it was") {
  ToyNet net(0, {LEVIN_HOOK_VALIDATION_START});
  LoopScene scene(net, 6, 2);
  scene.plan.validation.val_check_interval = {1, false, {}};
  Epoch(scene).loop.run(3);
  CHECK(net.calls == Calls{"training_step", "on_validation_start", "validation_step", "training_step",
                           "on_validation_start", "validation_step", "training_step", "on_validation_start",
                           "validation_step"});
  CHECK(scene.progress.place.stage == LEVIN_STAGE_FIT);
  CHECK(scene.progress.batch_idx() == 2);
}
