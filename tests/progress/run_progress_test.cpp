#include "core/progress/run_progress.hpp"

#include <limits>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "tests/progress/saved_progress.hpp"

using namespace levin::core;

TEST_CASE("progress survives a checkpoint in the middle of an epoch and at its end") {
  struct Case {
    int64_t completed, processed, ready;  // when it is saved
    int64_t epoch, next_batch;            // where the resumed fit continues
  };
  const Case cases[] = {
      {0, 0, 3, 0, 3},  // within the first epoch
      {2, 2, 5, 2, 5},  // within the third epoch
      {2, 3, 8, 3, 0},  // in the hooks at the end of the third epoch
      {4, 4, 0, 4, 0},  // between epochs
  };
  for (const Case& c : cases) {
    SavedProgress saved;
    // An unfinished epoch has begun.
    const int64_t begun = c.processed == c.completed && c.ready > 0 ? c.processed + 1 : c.processed;
    saved.epoch.total = saved.epoch.current = {begun, begun, c.processed, c.completed};
    saved.optimizer_step.total.completed = 20;
    saved.batch.current.ready = saved.batch.current.processed = c.ready;
    saved.batch.total.ready = saved.batch.total.processed = 40;
    saved.batches_that_stepped = 20;
    RunProgress loaded;
    auto state = saved.state_dict();
    state["train_seconds"] = 1.5;
    const FoundPosition found = loaded.load_state_dict(state);
    CHECK(loaded.epochs_processed() == c.epoch);
    CHECK(loaded.current_epoch() == c.completed);
    if (found.at_epoch_end()) loaded.complete_epoch();
    CHECK(loaded.current_epoch() == c.epoch);
    CHECK(loaded.global_step() == 20);
    loaded.begin_batches(found.within_epoch());
    CHECK(loaded.of(Counted::batch).current.ready == c.next_batch);
    CHECK(loaded.of(Counted::batch).total.ready == 40);
    CHECK(loaded.batches_that_stepped() == 20);
    CHECK(loaded.train_seconds() == 1.5);
  }
}

TEST_CASE(
    "a fit that its limit of steps had cut goes on within the epoch, also from a checkpoint of that epoch's end") {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {3, 3, 3, 2};
  saved.batch.current.ready = saved.batch.current.processed = 5;
  saved.epoch_cut = true;
  for (const int64_t completed : {2, 3}) {  // in the hooks at the end of the epoch, and after them
    RunProgress loaded;
    saved.epoch.total.completed = completed;
    const auto state = saved.state_dict();
    CHECK(RunProgress::made_within_epoch(state));
    const FoundPosition found = loaded.load_state_dict(state);
    CHECK(loaded.current_epoch() == 2);
    CHECK(found.within_epoch());
    CHECK(found.epoch_is_due() == (completed == 2));
    loaded.begin_batches(found.within_epoch());
    CHECK(loaded.of(Counted::batch).current.ready == 5);
    CHECK(loaded.phase() == FitPhase::in_batches);
  }
}

TEST_CASE("a batch whose step failed is done again, one whose end was interrupted is finished") {
  SavedProgress saved;
  RunProgress loaded;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.current = {3, 3, 2, 2};
  saved.is_last_batch = true;
  loaded.load_state_dict(saved.state_dict());
  CHECK(loaded.of(Counted::batch).current.ready == 2);
  CHECK_FALSE(loaded.is_last_batch());
  saved.batch.current = {3, 3, 3, 2};
  saved.tail = 1;
  loaded.load_state_dict(saved.state_dict());
  CHECK(loaded.of(Counted::batch).current.ready == 3);
  CHECK(loaded.of(Counted::batch).current.completed == 2);
  CHECK(loaded.phase() == FitPhase::after_step);
  CHECK(loaded.is_last_batch());
}

TEST_CASE("a checkpoint between epochs goes on with a whole epoch, whatever the last one's batches were") {
  SavedProgress saved;
  saved.batch.current.ready = saved.batch.current.processed = 5;
  saved.epoch.total = saved.epoch.current = {2, 1, 1, 1};  // in the hooks at the start of the second epoch
  for (const int64_t begun : {2, 1}) {                     // ... and after the end of the first epoch
    saved.epoch.total.ready = saved.epoch.current.ready = begun;
    RunProgress loaded;
    const FoundPosition found = loaded.load_state_dict(saved.state_dict());
    CHECK_FALSE(found.within_epoch());
    CHECK(found.every_epoch_done() == (begun == 1));
    loaded.begin_batches(found.within_epoch());
    CHECK(loaded.of(Counted::batch).current.ready == 0);
  }
}

TEST_CASE("a checkpoint of a resumed fit, before its first batch, is still within the epoch") {
  SavedProgress saved;
  RunProgress first, second;
  saved.epoch.total = saved.epoch.current = {2, 2, 1, 1};
  saved.batch.current = {3, 3, 3, 3};
  first.load_state_dict(saved.state_dict());
  const FoundPosition found = second.load_state_dict(first.state_dict());
  CHECK(found.within_epoch());
  CHECK_FALSE(found.every_epoch_done());
  second.begin_batches(found.within_epoch());
  CHECK(second.of(Counted::batch).current.ready == 3);
}

TEST_CASE("a forged state is refused") {
  const auto state = RunProgress().state_dict();
  for (const nlohmann::json& wrong : {nlohmann::json(-1), nlohmann::json(1e300), nlohmann::json(true),
                                      nlohmann::json("7"), nlohmann::json(std::numeric_limits<int64_t>::max())}) {
    auto forged = state;
    forged["progress"]["epoch_progress"]["total"]["processed"] = wrong;
    CHECK_THROWS_AS(RunProgress().load_state_dict(forged), Error);
  }
  SavedProgress within;
  within.epoch.total = within.epoch.current = {1, 1, 0, 0};
  within.batch.current = {1, 1, 1, 1};
  auto forged = within.state_dict();
  forged["tail"] = 7;
  CHECK_THROWS_WITH(RunProgress().load_state_dict(forged), ContainsSubstring("has to be 0, 1 or 2"));
  const char* const batches = "epoch_loop.batch_progress";
  forged = within.state_dict();
  forged["progress"][batches]["current"]["completed"] = 2;
  CHECK_THROWS_WITH(RunProgress().load_state_dict(forged), ContainsSubstring("2 batches of the epoch were completed"));
  forged = within.state_dict();
  for (const char* field : {"ready", "started", "processed", "completed"})
    forged["progress"][batches]["current"][field] = int64_t{1} << 53;
  RunProgress loaded;
  loaded.load_state_dict(forged);
  CHECK_THROWS_WITH(loaded.reshard_epoch(1500, 1), ContainsSubstring("more than there can be"));
  auto without = state;
  without.erase("progress");
  CHECK_THROWS_AS(RunProgress().load_state_dict(without), nlohmann::json::exception);
}

TEST_CASE("steps of manual optimization are counted, also from checkpoints that did not count them apart") {
  SavedProgress saved;
  RunProgress loaded;
  saved.manual_step.total.completed = 7;
  auto state = saved.state_dict();
  loaded.load_state_dict(state);
  CHECK(loaded.global_step() == 7);
  state["progress"].erase("epoch_loop.manual_optimization.optim_step_progress");
  RunProgress from_older;
  from_older.load_state_dict(state);
  CHECK(from_older.global_step() == 7);
}

TEST_CASE("the batch is counted in training and told in an evaluation") {
  RunProgress progress;
  CHECK(progress.batch_idx() == -1);
  progress.begin_batches(/*goes_on=*/false);
  progress.begin_batch();
  progress.begin_batch();
  CHECK(progress.batch_idx() == 1);
  progress.place.batch_idx = 5;
  CHECK(progress.batch_idx() == 5);
  progress.place.batch_idx.reset();
  CHECK(progress.batch_idx() == 1);
  progress.leave_batches();
  CHECK(progress.batch_idx() == -1);
}

TEST_CASE("the first reason to stop is kept") {
  StopRequest stop;
  CHECK_FALSE(stop.asked());
  stop.ask("no improvement");
  stop.ask("time is up");
  CHECK(stop.asked());
  CHECK(stop.reason() == "no improvement");
  stop.withdraw();
  CHECK_FALSE(stop.asked());
}

TEST_CASE("a validation that had not ended counts for nothing, one that had ended goes on counting") {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.total = saved.batch.current = {2, 2, 2, 2};
  saved.tail = 1;
  saved.val_batch.total = {7, 7, 7, 6};
  saved.val_batch.current = {3, 3, 3, 2};
  for (const bool validating : {false, true}) {
    saved.validating = validating;
    RunProgress loaded;
    loaded.load_state_dict(saved.state_dict());
    loaded.begin_batches(/*goes_on=*/true);
    CHECK(loaded.of(Counted::val_batch).total.ready == (validating ? 4 : 7));
    CHECK(loaded.of(Counted::val_batch).total.completed == (validating ? 4 : 6));
    CHECK(loaded.phase() == (validating ? FitPhase::in_validation : FitPhase::after_step));
  }
  auto older = saved.state_dict();
  older.erase("validating");
  RunProgress loaded;
  loaded.load_state_dict(older);
  CHECK(loaded.phase() == FitPhase::after_step);
}

TEST_CASE("an epoch whose rows others share out goes on at the beginning of a window, at about the same rows") {
  struct Case {
    int64_t done, window, before, now, next_batch;
  };
  const Case cases[] = {
      {4, 4, 1, 2, 0}, {8, 4, 1, 2, 4}, {12, 4, 1, 2, 4}, {4, 4, 2, 1, 8}, {5, 4, 2, 1, 8}, {3, 4, 1, 2, 0},
      {5, 1, 1, 2, 2}, {1, 1, 1, 2, 0}, {4, 3, 3, 2, 6},  {4, 4, 2, 2, 4}, {5, 4, 2, 2, 4}, {9, 1, 4, 1, 19},
  };
  for (const Case& c : cases) {
    INFO(c.done << " of a window of " << c.window << ", from " << c.before << " to " << c.now);
    SavedProgress saved;
    saved.epoch.total = saved.epoch.current = {3, 3, 2, 2};
    saved.batch.current = {c.done, c.done, c.done, c.done};
    RunProgress loaded;
    loaded.load_state_dict(saved.state_dict());
    loaded.reshard_epoch(c.before, c.now);
    loaded.begin_batches(/*goes_on=*/true);
    loaded.place.n_batches = 20;
    loaded.restart_accumulation(c.window);
    const Counter& batch = loaded.of(Counted::batch).current;
    CHECK(batch.ready == c.next_batch);
    CHECK(batch.completed == batch.ready);
    CHECK(batch.processed == batch.ready);
  }
}

TEST_CASE("what was left to do for a batch is done for one, also where others share out the rows") {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {3, 3, 2, 2};
  saved.batch.total = saved.batch.current = {2, 2, 2, 1};
  saved.tail = 1;
  RunProgress loaded;
  loaded.load_state_dict(saved.state_dict());
  loaded.reshard_epoch(1, 4);
  const Counter& batch = loaded.of(Counted::batch).current;
  CHECK(batch.ready - batch.completed == 1);
  CHECK(batch.ready == 1);
  CHECK(loaded.phase() == FitPhase::after_step);
  loaded.restart_accumulation(1);
  CHECK(batch.ready == 0);
  CHECK(batch.completed == 0);
}

TEST_CASE("a validation that a checkpoint had interrupted is repeated, also where others share out the rows") {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {1, 1, 0, 0};
  saved.batch.total = saved.batch.current = {6, 6, 6, 6};
  saved.tail = 1;
  saved.validating = true;
  RunProgress loaded;
  CHECK(loaded.load_state_dict(saved.state_dict()).phase == FitPhase::in_validation);
  loaded.reshard_epoch(1, 2);
  CHECK(loaded.phase() == FitPhase::in_validation);
  CHECK(loaded.of(Counted::batch).current.completed == 3);
}

TEST_CASE("a resumed fit that saves before its first batch loses nothing of what it was to do") {
  SavedProgress saved;
  saved.epoch.total = saved.epoch.current = {3, 3, 2, 2};
  saved.batch.total = saved.batch.current = {7, 7, 7, 7};
  saved.tail = 1;
  saved.validating = true;
  for (const int64_t processes : {1, 2, 9}) {
    INFO("from 1 to " << processes << " processes");
    RunProgress straight, detour;
    straight.load_state_dict(saved.state_dict());
    if (processes > 1) straight.reshard_epoch(1, processes);
    CHECK(detour.load_state_dict(straight.state_dict()).phase == FitPhase::in_validation);
    for (RunProgress* p : {&straight, &detour}) {
      CHECK(p->phase() == FitPhase::in_validation);
      p->begin_batches(/*goes_on=*/true);
      p->restart_accumulation(2);
    }
    CHECK(detour.of(Counted::batch).current.ready == (processes == 1 ? 7 : processes == 2 ? 2 : 0));
    CHECK(detour.state_dict() == straight.state_dict());
  }
  saved.tail = 0;  // no batch needs to be done in this case
  RunProgress straight, detour, back;
  straight.load_state_dict(saved.state_dict());
  straight.reshard_epoch(1, 9);
  CHECK(detour.load_state_dict(straight.state_dict()).within_epoch());
  CHECK(detour.of(Counted::batch).current.ready == 0);
  straight.load_state_dict(saved.state_dict());
  straight.reshard_epoch(1, 2);
  back.load_state_dict(straight.state_dict());
  back.reshard_epoch(2, 1);
  CHECK(back.of(Counted::batch).current.ready == 6);
}
