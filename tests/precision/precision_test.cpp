#include "core/precision/precision.hpp"

#include "catch.hpp"

using levin::core::make_precision;
using levin::core::PrecisionType;
using levin::core::slower_than_32_true;

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

TEST_CASE("bf16 on a processor without instructions for it is said to be slower than 32-true") {
  for (const auto type : {PrecisionType::mixed_bf16, PrecisionType::true_bf16}) {
    CHECK_THAT(slower_than_32_true(type, at::kCPU, {"avx2", "avx512f"}), ContainsSubstring("is slower than 32-true"));
    for (const char* flag : {"avx512_bf16", "amx_bf16", "bf16"})
      CHECK(slower_than_32_true(type, at::kCPU, {"avx2", flag}).empty());
    CHECK(slower_than_32_true(type, at::kCPU, {}).empty());
    CHECK(slower_than_32_true(type, at::Device(at::kCUDA, 0), {"avx2"}).empty());
  }
  CHECK(slower_than_32_true(PrecisionType::true_32, at::kCPU, {"avx2"}).empty());
}
