#include <cmath>
#include <set>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "sweep/search/sampler.hpp"

using namespace levin::core;
using namespace levin::core::sweep;

namespace {

std::vector<Parameter> two_numbers() {
  return {read_parameter("x", "uniform(-5,5)", "x"), read_parameter("y", "log(1e-3,1e3)", "y")};
}

// The best value of a bowl with its bottom at x = 1, y = 10.
double best_of_bowl(SamplerKind kind, uint64_t seed, int trials) {
  const auto sampler = make_sampler(kind, two_numbers(), seed);
  std::vector<Observation> seen;
  double best = INFINITY;
  for (int n = 0; n < trials; ++n) {
    const Assignment values = *sampler->next(static_cast<uint64_t>(n), seen);
    const double loss = std::pow(values[0] - 1, 2) + std::pow(std::log10(values[1]) - 1, 2);
    best = std::min(best, loss);
    seen.push_back({values, loss, 0});
  }
  return best;
}

}  // namespace

TEST_CASE("a grid has each combination once, the last parameter fastest") {
  const std::vector<Parameter> parameters = {read_parameter("a", "1,2", "a"), read_parameter("b", "int(3,5)", "b")};
  const auto grid = make_sampler(SamplerKind::grid, parameters, 0);
  std::set<Assignment> all;
  for (uint64_t n = 0; n < 6; ++n) all.insert(*grid->next(n, {}));
  CHECK(all.size() == 6);
  CHECK(*grid->next(1, {}) == Assignment{0, 4});
  CHECK_FALSE(grid->next(6, {}));
  CHECK(grid_size(parameters) == 6);
  CHECK_THROWS_WITH(make_sampler(SamplerKind::grid, two_numbers(), 0), ContainsSubstring("listed values or steps"));
}

TEST_CASE("random values depend on the seed and the number alone, and stay in their range") {
  const auto parameters = two_numbers();
  double least = INFINITY, most = 0;
  for (uint64_t n = 0; n < 1000; ++n) {
    const Assignment values = random_values(parameters, 7, n);
    CHECK(values == random_values(parameters, 7, n));
    CHECK((std::abs(values[0]) <= 5 && values[1] >= 1e-3 && values[1] <= 1e3));
    least = std::min(least, values[1]);
    most = std::max(most, values[1]);
  }
  CHECK((least < 2e-3 && most > 500));  // evenly on the logarithmic scale
  CHECK(random_values(parameters, 7, 0) != random_values(parameters, 8, 0));
}

TEST_CASE("TPE finds the bottom of a bowl sooner than random values") {
  int wins = 0;
  double tpe = 0, random = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const double a = best_of_bowl(SamplerKind::tpe, seed, 60), b = best_of_bowl(SamplerKind::random, seed, 60);
    wins += a < b ? 1 : 0;
    tpe += a;
    random += b;
  }
  INFO(wins << " of 20 seeds, mean " << tpe / 20 << " against " << random / 20);
  CHECK(wins >= 15);
  CHECK(tpe < random / 3);
}

TEST_CASE("TPE prefers the better choice, and leaves failed and running trials out of the good ones") {
  const std::vector<Parameter> parameters = {read_parameter("c", "a,b,c,d", "c")};
  const auto sampler = make_sampler(SamplerKind::tpe, parameters, 3);
  std::vector<Observation> seen;
  for (int n = 0; n < 40; ++n) seen.push_back({{static_cast<double>(n % 4)}, n % 4 == 2 ? 0.0 : 1.0, 0});
  for (int n = 0; n < 10; ++n) seen.push_back({{1}, std::nullopt, 0});
  int good = 0;
  for (uint64_t n = 50; n < 150; ++n) good += (*sampler->next(n, seen))[0] == 2 ? 1 : 0;
  CHECK(good > 90);
}

TEST_CASE("TPE suggests whole numbers within their steps") {
  const std::vector<Parameter> parameters = {read_parameter("n", "int(8,64,8)", "n"),
                                             read_parameter("m", "logint(1,100)", "m")};
  const auto sampler = make_sampler(SamplerKind::tpe, parameters, 1);
  std::vector<Observation> seen;
  for (uint64_t n = 0; n < 60; ++n) {
    const Assignment values = *sampler->next(n, seen);
    CHECK((std::fmod(values[0], 8) == 0 && values[0] >= 8 && values[0] <= 64));
    CHECK((values[1] == std::floor(values[1]) && values[1] >= 1 && values[1] <= 100));
    seen.push_back({values, std::abs(values[0] - 32) + std::abs(values[1] - 10), 0});
  }
}
