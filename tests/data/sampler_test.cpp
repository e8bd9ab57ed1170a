#include "core/data/sampler.hpp"

#include <algorithm>
#include <numeric>

#include "catch.hpp"

using namespace levin::core;

namespace {

std::vector<int64_t> order(const Sampler& sampler, int64_t rows, int64_t epoch) {
  std::vector<int64_t> out;
  sampler.order(rows, epoch, out);
  return out;
}

}  // namespace

TEST_CASE("a random order is a permutation of the rows") {
  for (const int64_t rows : {0, 1, 2, 7, 1000}) {
    std::vector<int64_t> rows_of_epoch = order(RandomSampler(3), rows, 5), all(static_cast<size_t>(rows));
    std::iota(all.begin(), all.end(), 0);
    std::sort(rows_of_epoch.begin(), rows_of_epoch.end());
    CHECK(rows_of_epoch == all);
  }
}

TEST_CASE("the order is a value of seed and epoch alone") {
  const RandomSampler sampler(42);
  CHECK(order(sampler, 100, 0) == order(RandomSampler(42), 100, 0));
  CHECK(order(sampler, 100, 0) != order(sampler, 100, 1));
  CHECK(order(sampler, 100, 0) != order(RandomSampler(43), 100, 0));
  CHECK(order(SequentialSampler(), 3, 9) == std::vector<int64_t>{0, 1, 2});
}

TEST_CASE("the generator is SplitMix64, so that orders are the same everywhere") {
  SplitMix64 random(1234567);
  CHECK(random.next() == 6457827717110365317ull);
  CHECK(random.next() == 3203168211198807973ull);
}

TEST_CASE("numbers below n come without bias") {
  SplitMix64 random(1);
  std::vector<int> seen(6);
  for (int i = 0; i < 60000; ++i) ++seen[random.below(6)];
  for (const int n : seen) CHECK((n > 9500 && n < 10500));
  CHECK(random.below(1) == 0);
}

TEST_CASE("every row comes to every place about equally often") {
  const int64_t rows = 5;
  std::vector<std::vector<int>> at(rows, std::vector<int>(rows));
  for (int64_t epoch = 0; epoch < 20000; ++epoch) {
    const auto rows_of_epoch = order(RandomSampler(7), rows, epoch);
    for (size_t i = 0; i < rows_of_epoch.size(); ++i) ++at[i][static_cast<size_t>(rows_of_epoch[i])];
  }
  for (const auto& place : at)
    for (const int n : place) CHECK((n > 3700 && n < 4300));
}
