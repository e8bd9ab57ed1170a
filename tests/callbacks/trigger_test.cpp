#include <cmath>

#include "callbacks/model_checkpoint/trigger.hpp"
#include "catch.hpp"

namespace trigger_test {
using namespace levin::model_checkpoint;

namespace {

TriggerOptions every(std::optional<int64_t> steps, std::optional<int64_t> epochs, std::optional<double> seconds = {}) {
  TriggerOptions o;
  o.every_n_train_steps = steps, o.every_n_epochs = epochs, o.train_time_interval = seconds;
  return o;
}

}  // namespace

TEST_CASE("nothing given means every epoch") {
  const Trigger trigger{TriggerOptions{}};
  CHECK(trigger.due_after_epoch(0));
  CHECK(trigger.due_after_epoch(1));
  CHECK_FALSE(trigger.by_batch());
}

TEST_CASE("every n epochs counts from one") {
  const Trigger trigger(every({}, 3));
  CHECK_FALSE(trigger.due_after_epoch(0));
  CHECK_FALSE(trigger.due_after_epoch(1));
  CHECK(trigger.due_after_epoch(2));
  CHECK(trigger.due_after_epoch(5));
  CHECK_FALSE(Trigger(every({}, 0)).due_after_epoch(0));
}

TEST_CASE("every n steps looks at the optimizer steps") {
  Trigger trigger(every(2, {}));
  CHECK(trigger.by_batch());
  CHECK_FALSE(trigger.due_after_batch(1, 0));
  CHECK(trigger.due_after_batch(2, 0));
  CHECK_FALSE(trigger.due_after_epoch(0));
}

TEST_CASE("an interval starts anew when it was due") {
  Trigger trigger(every({}, {}, 10));
  trigger.start(100);
  CHECK_FALSE(trigger.due_after_batch(1, 109));
  CHECK(trigger.due_after_batch(2, 110));
  CHECK_FALSE(trigger.due_after_batch(3, 119));
  CHECK(trigger.due_after_batch(4, 125));
  Trigger always(every({}, {}, 0));
  CHECK(always.due_after_batch(1, 0));
}

TEST_CASE("contradictions and bad values are refused by name") {
  CHECK_THROWS_WITH(Trigger(every(1, 2)),
                    ContainsSubstring("every_n_train_steps") && ContainsSubstring("every_n_epochs"));
  CHECK_THROWS_WITH(Trigger(every(1, {}, 5)), ContainsSubstring("train_time_interval"));
  CHECK_THROWS_WITH(Trigger(every(-3, {})), ContainsSubstring("every_n_train_steps") && ContainsSubstring("-3"));
  CHECK_THROWS_WITH(Trigger(every({}, -3)), ContainsSubstring("every_n_epochs") && ContainsSubstring("-3"));
  CHECK_NOTHROW(Trigger(every(0, 0)));
}

TEST_CASE("epochs are saved after training or after validation") {
  struct Case {
    std::optional<bool> option;
    double val_check_interval, check_val_every_n_epoch;
    int64_t num_val_batches;
    bool after_training;
  };
  const Case cases[] = {
      {{}, 1, 1, 2, true},
      {{}, 0.5, 1, 2, false},
      {{}, 3, 1, 2, false},
      {{}, 1, 2, 2, false},
      {{}, 0.5, 1, 0, true},
      {{}, 1, 2, 0, false},
      {{}, std::nan(""), 1, 2, false},
      {true, 0.5, 1, 2, true},
      {false, 1, 1, 2, false},
      {{}, 10, std::nan(""), 2, false},
  };
  for (const Case& c : cases) {
    TriggerOptions options;
    options.save_on_train_epoch_end = c.option;
    const ValidationPlan plan{c.val_check_interval, c.check_val_every_n_epoch, [&] { return c.num_val_batches; }};
    CHECK(Trigger(options).saves_on_train_epoch_end(plan) == c.after_training);
  }
}

TEST_CASE("the number of validation batches is asked for only where it counts") {
  int asked = 0;
  const auto count = [&] { return int64_t{++asked}; };
  const Trigger trigger(TriggerOptions{});
  CHECK_FALSE(trigger.saves_on_train_epoch_end({1, 3, count}));
  CHECK_FALSE(trigger.saves_on_train_epoch_end({std::nan(""), 1, count}));
  CHECK(asked == 0);
  CHECK(trigger.saves_on_train_epoch_end({1, 1, count}));
  CHECK(asked == 1);
}

}  // namespace trigger_test
