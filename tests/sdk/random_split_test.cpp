#include "levin/random_split.hpp"

#include <map>

#include "catch.hpp"

using levin::Random;
using levin::random_split;

TEST_CASE("random_split puts each row into one part, and by the seed alone") {
  const auto parts = random_split(10, {0.75, 0.25}, 3);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].size() == 8);  // 7.5 and 2.5: the remainder goes to the first part
  CHECK(parts[1].size() == 2);
  std::vector<int64_t> all = parts[0];
  all.insert(all.end(), parts[1].begin(), parts[1].end());
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(random_split(10, {0.75, 0.25}, 3) == parts);
  CHECK(random_split(10, {0.75, 0.25}, 4) != parts);
  CHECK(random_split(10, {8, 2}, 3) == parts);
  // Golden: the same on every machine.
  CHECK(random_split(10, {6, 4}, 42)[1] == std::vector<int64_t>{1, 2, 3, 8});
}

TEST_CASE("random_split refuses parts that do not make up the rows") {
  CHECK_THROWS_WITH(random_split(10, {0.5, 0.4}), ContainsSubstring("their sum is 0.9"));
  CHECK_THROWS_WITH(random_split(10, {8, 3}), ContainsSubstring("the 10 rows"));
  CHECK_THROWS_WITH(random_split(10, {7.5, 2.5}), ContainsSubstring("the 10 rows"));
  CHECK_THROWS_WITH(random_split(10, {12, -2}), ContainsSubstring("negative"));
  CHECK(random_split(0, {1.0}) == std::vector<std::vector<int64_t>>{{}});
}

TEST_CASE("random numbers depend on all that they are made from") {
  CHECK(Random(1, 2, 3)() == Random(1, 2, 3)());
  CHECK(Random(1, 2, 3)() != Random(1, 3, 2)());
  CHECK(Random(1)() != Random(1, 0)());
  Random random(7);
  std::map<int64_t, int> seen;
  for (int i = 0; i < 3000; ++i) ++seen[random.below(3)];
  CHECK(seen.size() == 3);
  for (const auto& [value, times] : seen) CHECK(times > 900);
  for (int i = 0; i < 100; ++i) {
    const double u = random.uniform(-2, 2);
    CHECK((u >= -2 && u < 2));
  }
}
