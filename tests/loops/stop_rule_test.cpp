#include "catch.hpp"
#include "core/loops/fit_rules.hpp"

using namespace levin::core;

namespace {

RunPlan plan_of(int64_t max_epochs, int64_t max_steps, int64_t min_epochs, int64_t min_steps) {
  RunPlan plan;
  plan.duration.max_epochs = max_epochs;
  plan.duration.max_steps = max_steps;
  plan.duration.min_epochs = min_epochs;
  plan.duration.min_steps = min_steps;
  return plan;
}

StopInputs question(int64_t epochs, int64_t step, bool asked) {
  StopInputs in;
  in.epochs_processed = epochs;
  in.global_step = step;
  in.stop_asked = asked;
  return in;
}

}  // namespace

TEST_CASE("a fit ends with its epochs, its steps, or when asked once its minimum is reached") {
  CHECK(fit_is_done(plan_of(2, -1, 0, 0), question(2, 8, false)));
  CHECK_FALSE(fit_is_done(plan_of(2, -1, 0, 0), question(1, 4, false)));
  CHECK(fit_is_done(plan_of(-1, 5, 0, 0), question(0, 5, false)));
  CHECK_FALSE(fit_is_done(plan_of(-1, -1, 0, 0), question(1000, 1000, false)));
  CHECK(fit_is_done(plan_of(9, -1, 0, 0), question(0, 1, true)));
  CHECK_FALSE(fit_is_done(plan_of(9, -1, 2, 0), question(1, 9, true)));
  CHECK_FALSE(fit_is_done(plan_of(9, -1, 0, 10), question(3, 9, true)));
  CHECK(fit_is_done(plan_of(9, -1, 2, 10), question(2, 10, true)));
  CHECK(fit_is_done(plan_of(0, -1, 0, 0), question(0, 0, false)));
}

TEST_CASE("an epoch ends with its data, the last step, a wish to leave it, or a stop that may be") {
  const RunPlan plan = plan_of(9, 20, 0, 6);
  StopInputs in = question(0, 3, false);
  in.batches = 10;
  in.batches_done = 3;
  CHECK_FALSE(epoch_is_done(plan, in).done);
  in.batches_done = 10;
  CHECK(epoch_is_done(plan, in).done);
  in.batches_done = 3;
  in.data_ended = true;
  CHECK(epoch_is_done(plan, in).done);
  in.data_ended = false;
  in.skip_epoch = true;
  CHECK(epoch_is_done(plan, in).done);
  in.skip_epoch = false;
  in.global_step = 20;
  CHECK(epoch_is_done(plan, in).done);
}

TEST_CASE("a stop before the minimum is told, and training goes on") {
  const RunPlan plan = plan_of(9, -1, 0, 6);
  StopInputs in = question(0, 5, true);
  CHECK_FALSE(epoch_is_done(plan, in).done);
  CHECK(epoch_is_done(plan, in).minimum_not_met);
  in.global_step = 6;
  CHECK(epoch_is_done(plan, in).done);
  CHECK_FALSE(epoch_is_done(plan, in).minimum_not_met);
}
