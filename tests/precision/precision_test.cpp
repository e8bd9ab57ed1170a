#include "core/precision/precision.hpp"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

#include "catch.hpp"
#include "core/precision/precision_cost.hpp"

using levin::core::make_precision;
using levin::core::measured_cost;
using levin::core::PrecisionType;

TEST_CASE("operators that LibTorch has not in half precision on a CPU come with advice") {
  const std::string missing = R"("slow_conv2d_cpu" not implemented for 'Half')";
  const auto half = make_precision(PrecisionType::true_16, at::kCPU);
  CHECK_THAT(half->advice(missing), ContainsSubstring("try bf16-true or 32-true"));
  CHECK(half->advice("the loss is not finite").empty());
  CHECK(half->dtype() == at::kHalf);
  CHECK(half->is_full_precision());
  CHECK(make_precision(PrecisionType::true_16, at::Device(at::kCUDA, 0))->advice(missing).empty());
  CHECK(make_precision(PrecisionType::true_32, at::kCPU)->advice(missing).empty());
}

TEST_CASE("the cost of bf16 on a CPU is measured, without random numbers") {
  const at::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  for (const auto type : {PrecisionType::mixed_bf16, PrecisionType::true_bf16}) {
    const double cost = measured_cost(type);
    CHECK(cost > 0);
    CHECK(std::isfinite(cost));
  }
  CHECK(at::detail::getDefaultCPUGenerator().get_state().equal(before));
}
