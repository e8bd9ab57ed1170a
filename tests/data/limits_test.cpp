#include "core/data/limits.hpp"

#include "catch.hpp"
#include "core/base/error.hpp"

using namespace levin::core;

TEST_CASE("a limit is a number of batches or a fraction of them") {
  struct Case {
    std::optional<int64_t> length;
    Limit limit;
    int64_t batches;
  };
  const Case cases[] = {
      {10, {1.0, true}, 10},
      {10, {0.5, true}, 5},
      {10, {0.99, true}, 9},
      {10, {0.1, true}, 1},
      {10, {0, true}, 0},
      {10, {3, false}, 3},
      {10, {30, false}, 10},
      {10, {0, false}, 0},
      {3, {0.34, true}, 1},
      {1, {1.0, true}, 1},
      {0, {1.0, true}, 0},
      {std::nullopt, {4, false}, 4},
      {std::nullopt, {1.0, true}, unlimited},
      {std::nullopt, {0, false}, 0},
      {0, {0.5, true}, 0},
  };
  for (const Case& c : cases) {
    INFO(c.limit.value << " of " << c.length.value_or(-1));
    CHECK(limit_batches(c.length, c.limit, "limit_train_batches") == c.batches);
  }
}

TEST_CASE("a limit that cannot be kept is refused by name") {
  CHECK_THROWS_WITH(
      limit_batches(4, {0.1, true}, "limit_val_batches"),
      ContainsSubstring("limit_val_batches=0.1 of 4 batches is less than one") && ContainsSubstring("0.25"));
  for (const double fraction : {0.5, 0.0})
    CHECK_THROWS_WITH(limit_batches(std::nullopt, {fraction, true}, "limit_test_batches"),
                      ContainsSubstring("limit_test_batches=0.") && ContainsSubstring("length of the data is unknown"));
}

TEST_CASE("the sanity check takes so many batches of each loader, and no more than there are") {
  CHECK(sanity_batches(2, 10) == 2);
  CHECK(sanity_batches(2, 1) == 1);
  CHECK(sanity_batches(-1, 7) == 7);
  CHECK(sanity_batches(3, unlimited) == 3);
  CHECK(sanity_batches(-1, unlimited) == unlimited);
}
