#include "core/optim/optimizer_turns.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("frequencies give every batch to one optimizer, in turns that begin anew with each epoch") {
  struct Case {
    std::vector<int64_t> frequencies;
    const char* turns;
  };
  const Case cases[] = {{{2, 1}, "001001001001"}, {{5, 1}, "000001000001"}, {{1, 1}, "010101010101"}};
  for (const Case& c : cases) {
    std::string turns;
    for (int64_t batch = 0; batch < 12; ++batch) {
      const auto active = optimizers_of_batch(c.frequencies, batch);
      REQUIRE(active.size() == 1);
      turns += std::to_string(active[0]);
    }
    CHECK(turns == c.turns);
  }
}

TEST_CASE("without frequencies every optimizer takes every batch") {
  CHECK(optimizers_of_batch({0, 0, 0}, 7) == std::vector<uint32_t>{0, 1, 2});
  CHECK(optimizers_of_batch({0}, 7) == std::vector<uint32_t>{0});
  CHECK(optimizers_of_batch({}, 7).empty());
}

TEST_CASE("a frequency for some optimizers only is refused") {
  CHECK_NOTHROW(check_frequencies({2, 1}));
  CHECK_NOTHROW(check_frequencies({0, 0}));
  CHECK_THROWS_WITH(check_frequencies({2, 0}), ContainsSubstring("1 of 2"));
}
