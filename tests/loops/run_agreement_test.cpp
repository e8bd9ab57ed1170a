// Decisions that the processes of a run take together: two threads, each with its own loop, and a clock set by the
// test.
#include "core/loops/run_agreement.hpp"

#include "catch.hpp"
#include "core/loops/training_epoch_loop.hpp"
#include "tests/logging/several_processes.hpp"
#include "tests/loops/loop_scene.hpp"

using namespace levin::core;

namespace {

using Seconds = std::chrono::seconds;
thread_local LoopContext::Clock::time_point time_now;

// A process that trains the batches of an epoch, with validations of three batches in between.
struct Trainee {
  ToyNet net;
  LoopScene scene;
  RunAgreement agreement;
  LoopContext context;
  explicit Trainee(ProcessGroup& group, int64_t batches)
      : scene(net, 2 * batches, 6),
        agreement(group, scene.progress.stop),
        context{scene.plan,
                scene.model,
                scene.loaders,
                scene.hooks,
                *scene.precision,
                *scene.strategy,
                scene.log,
                scene.progress,
                scene.accumulation,
                agreement,
                [this] { agreement.after_batch(); },
                scene.context.warn,
                [] { return time_now; }} {}
  void train(int64_t batches) {
    EvaluationLoop validation(context, LEVIN_VAL);
    ScheduleStepper schedules(scene.model, scene.optimizers, scene.log, scene.progress, scene.hooks.run(),
                              context.warn);
    TrainingEpochLoop(context, scene.optimizers, *scene.optimization, schedules, validation).run(batches);
  }
};

}  // namespace

TEST_CASE("several processes validate once whenever the clock of the first one says so") {
  using Batches = std::vector<int64_t>;
  const auto seen = in_processes<Batches>(2, [](int rank, ProcessGroup& group) {
    Trainee trainee(group, 14);
    trainee.scene.plan.validation.val_check_interval.seconds = 10;
    Batches validated;  // the batch after which each validation came
    trainee.net.in_step = [&](const levin_step_in& in) {
      if (in.stage == LEVIN_STAGE_VALIDATE && in.batch_idx == 0)
        validated.push_back(trainee.scene.progress.of(Counted::batch).current.ready - 1);
      if (in.stage == LEVIN_STAGE_FIT && rank == 0 && (in.batch_idx == 2 || in.batch_idx == 8)) time_now += Seconds(11);
    };
    trainee.train(14);
    return validated;
  });
  CHECK(seen[0] == Batches{4, 10});
  CHECK(seen[1] == seen[0]);
}

TEST_CASE("what one process asks for before the batches is known to all of them before the first one") {
  const auto asked = in_processes<int>(2, [](int rank, ProcessGroup& group) {
    StopRequest stop;
    RunAgreement agreement(group, stop);
    if (rank == 1) stop.ask("the test");
    const nlohmann::json sent = {{"skip_epoch", false}, {"wants_skip_epoch", true}, {"sent_skip_epoch", true}};
    if (rank == 1) agreement.load_state_dict(sent);  // as a checkpoint had it
    agreement.before_batches();
    must(rank == 0 || agreement.state_dict() == sent, "the request that was sent is kept");
    return (stop.asked() ? 1 : 0) + (agreement.skips_epoch() ? 2 : 0);
  });
  CHECK(asked == std::vector<int>{1, 1});
}
