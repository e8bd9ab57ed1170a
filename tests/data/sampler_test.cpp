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

namespace {

levin_loader wish(uint32_t sampler) {
  levin_loader w{};
  w.size = sizeof w;
  w.sampler = sampler;
  return w;
}

}  // namespace

TEST_CASE("drawing with replacement repeats rows, without it goes through all before any comes again") {
  levin_loader w = wish(LEVIN_SAMPLER_RANDOM);
  w.n = 25;
  std::vector<int64_t> drawn = order(*make_sampler(w, 10, 3), 10, 0);
  REQUIRE(drawn.size() == 25);
  std::sort(drawn.begin(), drawn.begin() + 10);
  for (int64_t i = 0; i < 10; ++i) CHECK(drawn[static_cast<size_t>(i)] == i);
  w.replacement = 1;
  w.n = 10000;
  std::vector<int64_t> counts(10);
  for (const int64_t row : order(*make_sampler(w, 10, 3), 10, 0)) ++counts[static_cast<size_t>(row)];
  for (const int64_t n : counts) CHECK((n > 850 && n < 1150));
}

TEST_CASE("weights decide how often a row is drawn") {
  const double weights[] = {0, 1, 3, 0};
  levin_loader w = wish(LEVIN_SAMPLER_WEIGHTED);
  w.weights = weights;
  w.replacement = 1;
  w.n = 10000;
  std::vector<int64_t> counts(4);
  for (const int64_t row : order(*make_sampler(w, 4, 3), 4, 0)) ++counts[static_cast<size_t>(row)];
  CHECK(counts[0] + counts[3] == 0);
  CHECK((counts[2] > 7300 && counts[2] < 7700));
  w.replacement = 0;
  w.n = 2;
  std::vector<int64_t> both = order(*make_sampler(w, 4, 3), 4, 0);
  std::sort(both.begin(), both.end());
  CHECK(both == std::vector<int64_t>{1, 2});
  w.n = 3;
  CHECK_THROWS_WITH(make_sampler(w, 4, 3), ContainsSubstring("without replacement"));
}

TEST_CASE("a subset keeps to its rows, in their order or shuffled") {
  const int64_t indices[] = {7, 1, 5};
  levin_loader w = wish(LEVIN_SAMPLER_SUBSET);
  w.indices = indices;
  w.n = 3;
  CHECK(order(*make_sampler(w, 8, 3), 8, 0) == std::vector<int64_t>{7, 1, 5});
  CHECK(make_sampler(w, 8, 3)->length(8) == 3);
  CHECK_THROWS_WITH(make_sampler(w, 7, 3), ContainsSubstring("row 7"));
}

TEST_CASE("processes share an order out, repeating its start or dropping its end for equal shares") {
  const auto shared = [](int64_t n, const Share& share) {
    std::vector<int64_t> rows(static_cast<size_t>(n));
    std::iota(rows.begin(), rows.end(), 0);
    take_share(rows, share);
    CHECK(static_cast<int64_t>(rows.size()) == share_size(n, share));
    return rows;
  };
  CHECK(shared(7, {1, 3}) == std::vector<int64_t>{1, 4, 0});
  CHECK(shared(7, {0, 3}) == std::vector<int64_t>{0, 3, 6});
  CHECK(shared(7, {1, 3, true}) == std::vector<int64_t>{1, 4});
  CHECK(shared(4, {2, 3, false, false}) == std::vector<int64_t>{2});
  CHECK(shared(4, {0, 3, false, false}) == std::vector<int64_t>{0, 3});
  CHECK(shared(2, {4, 5}) == std::vector<int64_t>{0});
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
