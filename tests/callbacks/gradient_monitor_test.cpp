#include <cmath>

#include "callbacks/gradient_monitor/noise_scale.hpp"
#include "catch.hpp"

namespace gradient_monitor_test {
using levin::gradient_monitor::NoiseScale;

TEST_CASE("the noise scale is the ratio of the gradients' noise and square, in rows") {
  // Two gradients (3, 1) and (1, 3): their product is 6, their squares are 10.
  NoiseScale scale;
  scale.add(10, 10, 6, 0.9);
  CHECK(scale.value(32).value() == Approx(32 * 4.0 / 6));
  for (int i = 0; i < 100; ++i) scale.add(10, 10, 6, 0.9);
  CHECK(scale.value(32).value() == Approx(32 * 4.0 / 6));
  CHECK(scale.value(64).value() == Approx(64 * 4.0 / 6));
}

TEST_CASE("gradients without noise, and noise alone, have no scale") {
  NoiseScale equal, opposite;
  CHECK_FALSE(equal.value(32));
  equal.add(4, 4, 4, 0.5);
  CHECK_FALSE(equal.value(32));
  opposite.add(4, 4, -4, 0.5);
  CHECK_FALSE(opposite.value(32));
}

TEST_CASE("the estimate of random gradients comes near the true noise scale") {
  // One row's gradient is 1 + noise of variance 8, so a step of 4 rows has noise of variance 2.
  uint64_t state = 1;
  const auto uniform = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5;
  };
  NoiseScale scale;
  const double width = std::sqrt(2 * 12.0);  // of a uniform distribution of variance 2
  for (int i = 0; i < 20000; ++i) {
    const double a = 1 + width * uniform(), b = 1 + width * uniform();
    scale.add(a * a, b * b, a * b, 0.9998);
  }
  CHECK(scale.value(4).value() == Approx(8).epsilon(0.25));
}

}  // namespace gradient_monitor_test
