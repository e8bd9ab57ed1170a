#include <cmath>

#include "catch.hpp"
#include "data_driver.hpp"

TEST_CASE("synthetic data has the sizes that the options say") {
  DataDriver data("synthetic",
                  {{"rows", 40}, {"val_rows", 0}, {"test_rows", 7}, {"classes", 3}, {"channels", 2}, {"size", 5}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.rows == 40);
  CHECK(data.rows(LEVIN_VAL) == 0);
  CHECK(data.rows(LEVIN_PREDICT) == 7);
  CHECK(train.fields[0].ndim == 3);
  CHECK(train.fields[0].shape[0] == 2);
  CHECK(train.fields[0].shape[2] == 5);
  CHECK(train.fields[1].classes == 3);
}

TEST_CASE("synthetic rows of a class lie around its centre") {
  DataDriver data("synthetic", {{"rows", 400}, {"classes", 4}, {"features", 8}, {"noise", 0.1}});
  const FilledRows rows = data.fill(LEVIN_TRAIN, data.all(LEVIN_TRAIN));
  std::vector<double> sum(4 * 8), squares(4 * 8), n(4);
  for (size_t i = 0; i < rows.y.size(); ++i) {
    const size_t c = static_cast<size_t>(rows.y[i]);
    ++n[c];
    for (size_t j = 0; j < 8; ++j)
      sum[8 * c + j] += rows.x[8 * i + j], squares[8 * c + j] += std::pow(rows.x[8 * i + j], 2);
  }
  for (size_t c = 0; c < 4; ++c) {
    CHECK(n[c] > 50);
    for (size_t j = 0; j < 8; ++j)
      CHECK(std::sqrt(squares[8 * c + j] / n[c] - std::pow(sum[8 * c + j] / n[c], 2)) == Approx(0.1).margin(0.04));
  }
}

TEST_CASE("synthetic data is another with another seed, and differs between the splits") {
  const auto rows = [](int64_t seed, uint32_t split) {
    DataDriver data("synthetic", {{"seed", seed}, {"rows", 20}, {"test_rows", 20}});
    return data.fill(split, data.all(split)).x;
  };
  CHECK(rows(0, LEVIN_TRAIN) == rows(0, LEVIN_TRAIN));
  CHECK(rows(0, LEVIN_TRAIN) != rows(1, LEVIN_TRAIN));
  CHECK(rows(0, LEVIN_TRAIN) != rows(0, LEVIN_TEST));
}

TEST_CASE("synthetic data without classes has a number as its target") {
  DataDriver data("synthetic", {{"classes", 0}, {"features", 3}});
  const levin_split train = data.describe(LEVIN_TRAIN);
  CHECK(train.fields[1].dtype.code == LEVIN_FLOAT);
  CHECK(train.fields[1].classes == 0);
  CHECK_THROWS_WITH(DataDriver("synthetic", {{"classes", 1}}), ContainsSubstring("nothing to tell apart"));
}
