#include "core/loops/optimization/accumulation.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a schedule says how many batches a window has in each epoch") {
  const AccumulationSchedule schedule = {{0, 2}, {2, 1}, {5, 8}};
  const int64_t expected[] = {2, 2, 1, 1, 1, 8, 8};
  for (int64_t epoch = 0; epoch < 7; ++epoch) CHECK(window_at(schedule, epoch) == expected[epoch]);
  CHECK_FALSE(window_at({{3, 2}}, 2));
}

TEST_CASE("windows start and end by the batch, and the epoch's last batch ends one") {
  std::string starts, ends;
  for (int64_t i = 0; i < 5; ++i) {
    const AccumulationWindow window = accumulation_window(i, 3, i == 4, false);
    starts += window.starts ? 'x' : '.';
    ends += window.ends ? 'x' : '.';
    CHECK(window.size == 3);
    CHECK(window.factor == 1.0);
  }
  CHECK(starts == "x..x.");
  CHECK(ends == "..x.x");
}

TEST_CASE("a short last window that counts exactly is the mean of its own batches") {
  CHECK(accumulation_window(4, 3, true, true).factor == 1.5);
  CHECK(accumulation_window(3, 3, true, true).factor == 3.0);
  CHECK(accumulation_window(2, 3, false, true).factor == 1.0);
  CHECK(accumulation_window(3, 3, false, true).factor == 1.0);
}

TEST_CASE("the steps of a fit are estimated from its limits") {
  struct Case {
    std::optional<int64_t> batches;
    int64_t window, max_epochs, max_steps;
    std::optional<int64_t> steps;
  };
  const Case cases[] = {
      {10, 1, 3, -1, 30},
      {10, 3, 1, -1, 4},
      {10, 2, 3, 7, 7},
      {5, 3, -1, 7, 7},
      {5, 1, -1, -1, std::nullopt},
      {std::nullopt, 1, 3, 9, 9},
      {std::nullopt, 1, 3, -1, std::nullopt},
  };
  for (const Case& c : cases)
    CHECK(estimated_stepping_batches(c.batches, c.window, c.max_epochs, c.max_steps) == c.steps);
}

TEST_CASE("a window that is dropped keeps whether its batch stepped") {
  for (const bool open : {false, true}) {
    Accumulation window(4);
    window.load_state_dict({{"window_open", open}, {"ends_window", !open}});
    window.drop();
    CHECK_FALSE(window.is_open());
    CHECK(window.steps() ==
          !open);  // otherwise a batch within a window would be logged and counted as one that stepped
    CHECK(window.batches() == 4);
  }
  Accumulation older;
  older.load_state_dict({{"window_open", true}});  // as in checkpoints without ends_window
  CHECK_FALSE(older.steps());
}
