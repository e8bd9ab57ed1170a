// Metrics of numbers. Expected values: sklearn.metrics and torchmetrics on the same numbers.
#include "samples.hpp"

#include <cmath>

#include "catch.hpp"

using namespace levin::metrics;

TEST_CASE("errors of numbers are those of all samples") {
  const at::Tensor t = numbers({1, 2, 3, 4, 5}), p = numbers({1.5, 2, 2, 4, 8});
  CHECK(in_batches(MeanSquaredError(), p, t, {2, 3}) == Approx(2.05));
  CHECK(in_batches(MeanSquaredError(true), p, t, {4, 1}) == Approx(std::sqrt(2.05)));
  CHECK(in_batches(MeanAbsoluteError(), p, t, {1, 4}) == Approx(0.9));
}

TEST_CASE("aggregates weight, and start again when they are reset") {
  Mean mean;
  CHECK(std::isnan(mean.compute()));
  mean.update(1.0, 3);
  mean.update(5.0, 1);
  CHECK(mean.compute() == Approx(2));
  mean.reset();
  mean.update(7.0);
  CHECK(mean.compute() == Approx(7));
  Sum sum;
  Min least;
  Max most;
  for (const double v : {2.0, -1.0, 4.0}) sum.update(v), least.update(v), most.update(v);
  CHECK(sum.compute() == Approx(5));
  CHECK(least.compute() == Approx(-1));
  CHECK(most.compute() == Approx(4));
}
