#include "core/progress/progress.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("progress survives a checkpoint in the middle of an epoch and at its end") {
  struct Case {
    int64_t completed, processed, ready;  // when it is saved
    int64_t epoch, next_batch;            // where a resumed fit goes on
  };
  const Case cases[] = {
      {0, 0, 3, 0, 3},  // within the first epoch
      {2, 2, 5, 2, 5},  // within the third
      {2, 3, 8, 3, 0},  // in the hooks of the third epoch's end
      {4, 4, 0, 4, 0},  // between epochs
  };
  for (const Case& c : cases) {
    FitProgress saved;
    saved.epoch.total.processed = c.processed;
    saved.batch.current.ready = saved.batch.current.processed = c.ready;
    saved.batch.total.ready = saved.batch.total.processed = 40;
    saved.batches_that_stepped = 20;
    saved.train_seconds = 1.5;
    FitProgress loaded;
    CHECK(loaded.load_state_dict(saved.state_dict(c.completed, 20)) == c.epoch);
    loaded.begin_epoch();
    CHECK(loaded.batch.current.ready == c.next_batch);
    CHECK(loaded.batch.total.ready == 40);
    CHECK(loaded.batches_that_stepped == 20);
    CHECK(loaded.seconds() == 1.5);
  }
}

TEST_CASE(
    "a fit that its limit of steps had cut goes on within the epoch, also from a checkpoint of that epoch's end") {
  FitProgress saved;
  saved.epoch.total.processed = saved.epoch.current.processed = 3;
  saved.batch.current.ready = saved.batch.current.processed = 5;
  saved.epoch_cut = true;
  for (const int64_t completed : {2, 3}) {  // in the hooks of the epoch's end, and after them
    FitProgress loaded;
    const auto state = saved.state_dict(completed, 20);
    CHECK(FitProgress::made_within_epoch(state));
    CHECK(loaded.load_state_dict(state) == 2);
    loaded.begin_epoch();
    CHECK(loaded.batch.current.ready == 5);
    CHECK_FALSE(loaded.epoch_cut);
  }
}

TEST_CASE("a batch whose step failed is done again, one whose end was interrupted is finished") {
  FitProgress saved, loaded;
  saved.batch.current = {3, 3, 2, 2};
  saved.is_last_batch = true;
  loaded.load_state_dict(saved.state_dict(0, 2));
  CHECK(loaded.batch.current.ready == 2);
  CHECK_FALSE(loaded.is_last_batch);
  saved.batch.current = {3, 3, 3, 2};
  saved.tail = BatchTail::logging;
  loaded.load_state_dict(saved.state_dict(0, 3));
  CHECK(loaded.batch.current.ready == 3);
  CHECK(loaded.batch.current.completed == 2);
  CHECK(loaded.tail == BatchTail::logging);
  CHECK(loaded.is_last_batch);
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
