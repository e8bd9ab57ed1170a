#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "catch.hpp"
#include "core/checkpoint/snapshot_memory.hpp"

using levin::core::SnapshotMemory;

TEST_CASE("copies of tensors of any form keep their values while the tensors change") {
  const at::Tensor large = at::arange(1000003, at::kFloat), scalar = at::full({}, 5, at::kLong), none = at::empty({0}),
                   transposed = at::arange(6, at::kDouble).reshape({2, 3}).t(), bits = at::ones({3}, at::kBool);
  const std::vector<at::Tensor> live = {scalar, large, none, bits, transposed};
  std::vector<at::Tensor> copies = live, expected;
  for (const at::Tensor& t : live) expected.push_back(t.clone());
  copies.push_back(at::full({5000}, 3.0));  // has no other owner
  std::vector<at::Tensor*> given;
  for (at::Tensor& t : copies) given.push_back(&t);
  SnapshotMemory memory;
  memory.copy(given);
  for (const at::Tensor& t : live) at::Tensor(t).zero_();
  for (size_t i = 0; i < live.size(); ++i) {
    CHECK(at::equal(copies[i], expected[i]));
    CHECK(copies[i].is_contiguous());
    CHECK(copies[i].scalar_type() == live[i].scalar_type());
  }
  CHECK(at::equal(copies.back(), at::full({5000}, 3.0)));
}

TEST_CASE("copies of tensors of every length and alignment are exact") {
  const at::Tensor all = at::arange(60000, at::kInt).to(at::kByte);
  std::vector<at::Tensor> copies, expected;
  for (int64_t bytes : {1, 15, 16, 127, 128, 129, 255, 1024, 4097, 40000})
    for (int64_t offset : {0, 1, 8, 63}) {
      copies.push_back(all.slice(0, offset, offset + bytes));
      expected.push_back(copies.back().clone());
    }
  std::vector<at::Tensor*> given;
  for (at::Tensor& t : copies) given.push_back(&t);
  SnapshotMemory memory;
  memory.copy(given);
  at::Tensor(all).zero_();
  for (size_t i = 0; i < copies.size(); ++i) CHECK(at::equal(copies[i], expected[i]));
}

TEST_CASE("the memory is used again") {
  at::Tensor first = at::ones({1000}), second = at::zeros({1000});
  SnapshotMemory memory;
  memory.copy({&first});
  memory.copy({&second});
  CHECK(first.data_ptr() == second.data_ptr());
  memory.release();
  at::Tensor third = at::ones({10});
  memory.copy({&third});
  CHECK(third.sum().item<float>() == 10);
}
