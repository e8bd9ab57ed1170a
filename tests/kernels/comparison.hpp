// What tests compare kernels with LibTorch's by.
#pragma once
#include <ATen/ATen.h>

#include <limits>

#include "catch.hpp"
#include "core/kernels/cpu_kernels.hpp"

constexpr float inf = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();

inline void begin() {
  levin::core::use_cpu_kernels();
  at::manual_seed(1);
}

// The same values that are not finite, and others that differ by no more than `by`, relative to `small` + |b|.
inline void check_near(const at::Tensor& a, const at::Tensor& b, double by, double small = 1) {
  REQUIRE(a.defined() == b.defined());
  if (!a.defined()) return;
  REQUIRE(a.sizes() == b.sizes());
  REQUIRE(a.scalar_type() == b.scalar_type());
  CHECK(a.strides() == b.strides());
  if (b.numel() == 0) return;
  CHECK(a.isnan().equal(b.isnan()));
  CHECK(a.isinf().equal(b.isinf()));
  const at::Tensor x = a.nan_to_num(0, 0, 0), y = b.nan_to_num(0, 0, 0);
  CHECK(((x - y).abs() / (small + y.abs())).max().item<double>() <= by);
}
