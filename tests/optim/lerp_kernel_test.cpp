#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/randn.h>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

using namespace levin::core;

TEST_CASE("averages are moved as by LibTorch's lerp") {
  const auto type = GENERATE(at::kFloat, at::kDouble);
  const auto size = GENERATE(int64_t{1}, int64_t{7}, int64_t{64}, int64_t{1003});
  const auto weight = GENERATE(0.0, 0.001, 0.3, 0.5, 0.9, 1.0);
  const at::Tensor to = at::randn({size}, type), from = at::randn({size}, type), expected = at::lerp(to, from, weight),
                   before = to.clone();
  const int64_t begin = size / 3;
  lerp_kernel(to.data_ptr(), from.data_ptr(), type == at::kDouble, begin, size, weight);
  CHECK(at::equal(to.slice(0, 0, begin), before.slice(0, 0, begin)));
  CHECK(at::allclose(to.slice(0, begin), expected.slice(0, begin), 1e-5, 1e-6));
  if (weight == 0) CHECK(at::equal(to, before));
  if (weight == 1) CHECK(at::equal(to.slice(0, begin), from.slice(0, begin)));
}

TEST_CASE("a weight that is not finite makes its average not finite") {
  std::vector<float> to(20, 1.0F), from(20, 2.0F);
  from[3] = std::numeric_limits<float>::quiet_NaN();
  from[17] = std::numeric_limits<float>::infinity();
  lerp_kernel(to.data(), from.data(), false, 0, 20, 0.25);
  for (size_t i = 0; i < to.size(); ++i) CHECK(std::isfinite(to[i]) == (i != 3 && i != 17));
}
