#include "core/precision/precision.hpp"

#include "catch.hpp"

using levin::core::make_precision;
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
