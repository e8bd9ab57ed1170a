#include "core/checkpoint/generators.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a generator goes on from its state, which drawing does not change") {
  const auto states = generator_states(at::kCPU);
  REQUIRE(states.size() == 1);
  const at::Tensor first = at::rand({8}), second = at::rand({8});
  set_generator_states(at::kCPU, states);
  CHECK(at::equal(at::rand({8}), first));
  CHECK(at::equal(at::rand({8}), second));
}

TEST_CASE("a generator without a state goes on as it is") {
  const auto before = generator_states(at::kCPU);
  set_generator_states(at::kCPU, {});
  CHECK(at::equal(generator_states(at::kCPU).at("cpu"), before.at("cpu")));
}
