// What a resumed fit does first: for each place at which its checkpoint may have been saved, and for each state of the
// run that resumes it.
#include "catch.hpp"
#include "core/loops/fit_loop.hpp"
#include "tests/loops/loop_scene.hpp"
#include "tests/progress/saved_progress.hpp"

using namespace levin::core;

namespace {

// Epochs of three batches, with a validation after each one.
constexpr Counter whole_epoch{3, 3, 3, 3};

SavedProgress saved_at(Counter epoch, Counter batch, int tail = 0) {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = epoch;
  saved.batch.total = saved.batch.current = batch;
  saved.optimizer_step.total = {1, 1, 1, 1};
  saved.tail = tail;
  return saved;
}

SavedProgress in_validation() {
  SavedProgress saved = saved_at({1, 1, 0, 0}, {1, 1, 1, 1}, 1);
  saved.validating = true;
  return saved;
}

SavedProgress with_schedules(SavedProgress saved) {
  saved.schedules_pending = true;
  return saved;
}

SavedProgress cut(SavedProgress saved) {
  saved.epoch_cut = true;
  return saved;
}

using Action = std::string;  // the first hook or step after on_train_start; "" = the fit ends at once
const Action next_epoch = "on_train_epoch_start", next_batch = "on_train_batch_start",
             validates = "on_validation_start", ends_epoch = "on_train_epoch_end", nothing;

struct ResumeCase {
  const char* saved_in;
  SavedProgress saved;
  FitPhase found;
  Action goes_on, steps_reached, stopped, epoch_skipped, not_due;  // not_due: validations are rarer now
};

const std::vector<ResumeCase>& resume_table() {
  static const std::vector<ResumeCase> rows = {
      {"no epoch", saved_at({}, {}), FitPhase::between_epochs, next_epoch, nothing, nothing, next_epoch, next_epoch},
      {"between epochs", saved_at({1, 1, 1, 1}, whole_epoch), FitPhase::between_epochs, next_epoch, nothing, nothing,
       next_epoch, next_epoch},
      {"the start hooks of an epoch", saved_at({2, 1, 1, 1}, whole_epoch), FitPhase::beginning_epoch, next_epoch,
       nothing, nothing, next_epoch, next_epoch},
      {"the first batch", saved_at({1, 1, 0, 0}, {1, 1, 0, 0}), FitPhase::beginning_epoch, next_epoch, nothing, nothing,
       next_epoch, next_epoch},
      {"between batches", saved_at({1, 1, 0, 0}, {1, 1, 1, 1}), FitPhase::in_batches, next_batch, ends_epoch,
       ends_epoch, ends_epoch, next_batch},
      {"the step of a batch", saved_at({1, 1, 0, 0}, {2, 2, 1, 1}), FitPhase::in_batches, next_batch, ends_epoch,
       ends_epoch, ends_epoch, next_batch},
      {"the end hooks of a batch", saved_at({1, 1, 0, 0}, {1, 1, 1, 0}, 1), FitPhase::after_step, validates, validates,
       validates, validates, next_batch},
      {"a validation", in_validation(), FitPhase::in_validation, validates, validates, validates, validates, validates},
      {"the end hooks of a validation", saved_at({1, 1, 0, 0}, {1, 1, 1, 1}, 2), FitPhase::after_validation, next_batch,
       ends_epoch, ends_epoch, ends_epoch, next_batch},
      {"the end hooks of an epoch", with_schedules(saved_at({1, 1, 1, 0}, whole_epoch)), FitPhase::ending_epoch,
       next_epoch, nothing, nothing, next_epoch, next_epoch},
      {"the end of an epoch after its schedules", saved_at({1, 1, 1, 0}, whole_epoch), FitPhase::closing_epoch,
       next_epoch, nothing, nothing, next_epoch, next_epoch},
      {"the end hooks of a cut epoch", cut(saved_at({1, 1, 1, 0}, {1, 1, 1, 1})), FitPhase::in_batches, next_batch,
       ends_epoch, ends_epoch, ends_epoch, next_batch},
      {"the end of a fit that cut its epoch", cut(saved_at({1, 1, 1, 1}, {1, 1, 1, 1})), FitPhase::cut_epoch,
       next_batch, nothing, nothing, ends_epoch, next_batch},
  };
  return rows;
}

struct ResumedFit {
  ResumedFit() : scene(net, 6, 2) {
    scene.plan.duration.max_epochs = 2;
    scene.plan.validation.val_check_interval = {1, false, {}};
  }
  Action first_action(const nlohmann::json& state) {
    run(load(state));
    return net.calls.empty() ? nothing : net.calls.front();
  }
  FoundPosition load(const nlohmann::json& state) { return fit.load_state_dict(state); }
  void run(const FoundPosition& found) { fit.run(found); }

  ToyNet net{0,
             {LEVIN_HOOK_TRAIN_EPOCH_START, LEVIN_HOOK_TRAIN_BATCH_START, LEVIN_HOOK_VALIDATION_START,
              LEVIN_HOOK_TRAIN_EPOCH_END}};
  LoopScene scene;
  EvaluationLoop validation_loop{scene.context, LEVIN_VAL};
  FitLoop fit{scene.context, scene.optimizers, *scene.optimization, validation_loop};
};

}  // namespace

TEST_CASE("a resumed fit goes on where its checkpoint was saved, as far as its limits allow") {
  for (const ResumeCase& row : resume_table()) {
    INFO("saved in " << row.saved_in);
    const nlohmann::json state = row.saved.state_dict();
    CHECK(RunProgress().load_state_dict(state).phase == row.found);
    CHECK(ResumedFit().first_action(state) == row.goes_on);
    {
      ResumedFit limited;
      limited.scene.plan.duration.max_steps = 1;
      CHECK(limited.first_action(state) == row.steps_reached);
    }
    {
      ResumedFit fewer_epochs;  // than the run that saved the checkpoint: also the rest of its epoch is too much
      fewer_epochs.scene.plan.duration.max_epochs = 0;
      CHECK(fewer_epochs.first_action(state) == nothing);
    }
    {
      ResumedFit stopped;
      const FoundPosition found = stopped.load(state);
      stopped.scene.progress.stop.ask("the test");
      stopped.run(found);
      CHECK((stopped.net.calls.empty() ? nothing : stopped.net.calls.front()) == row.stopped);
    }
    {
      nlohmann::json skipped = state;
      skipped["skip_epoch"] = true;
      CHECK(ResumedFit().first_action(skipped) == row.epoch_skipped);
    }
    {
      ResumedFit rarely;
      rarely.scene.plan.validation.val_check_interval = {3, false, {}};
      CHECK(rarely.first_action(state) == row.not_due);
    }
  }
}

TEST_CASE("a checkpoint that a resumed fit saves before its loops begin goes on at the same place") {
  for (const ResumeCase& row : resume_table()) {
    INFO("saved in " << row.saved_in);
    ResumedFit first;
    first.load(row.saved.state_dict());
    CHECK(ResumedFit().first_action(first.fit.state_dict()) == row.goes_on);
  }
}

TEST_CASE("each state of the loops comes back as it was saved") {
  for (const ResumeCase& row : resume_table()) {
    if (row.saved.epoch_cut || row.found == FitPhase::beginning_epoch) continue;  // undone events do not count
    INFO("saved in " << row.saved_in);
    SavedProgress saved = row.saved;
    saved.val_batches_seen = {4};
    saved.window_open = true;
    saved.ends_window = false;
    const nlohmann::json state = saved.state_dict();
    ResumedFit first, second;
    first.load(state);
    const nlohmann::json once = first.fit.state_dict();
    for (const char* key : {"tail", "validating", "epoch_schedules_pending", "val_batches_seen", "window_open",
                            "ends_window", "epochs_completed", "global_step"})
      CHECK(once.at(key) == state.at(key));
    second.load(once);
    CHECK(second.fit.state_dict() == once);
  }
}
