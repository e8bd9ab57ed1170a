#include "core/data/tbptt_split.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a batch is cut along its second dimension; the last split may be shorter") {
  const at::Tensor x = at::arange(10).view({2, 5}), y = at::zeros({3, 5, 4});
  const auto splits = tbptt_split({x, y}, 2);
  REQUIRE(splits.size() == 3);
  CHECK(splits[1][0].equal(x.narrow(1, 2, 2)));
  CHECK(splits[2][0].equal(x.narrow(1, 4, 1)));
  CHECK(splits[2][1].sizes() == at::IntArrayRef({3, 1, 4}));
  CHECK(tbptt_split({x}, 7).size() == 1);
}

TEST_CASE("a batch that the rule does not fit says what to override") {
  CHECK_THROWS_WITH(tbptt_split({at::zeros({2, 5}), at::zeros({2})}, 2), ContainsSubstring("tbptt_split_batch"));
  CHECK_THROWS_WITH(tbptt_split({at::zeros({2, 5}), at::zeros({2, 4})}, 2), ContainsSubstring("5 and 4"));
  CHECK_THROWS_WITH(tbptt_split({}, 2), ContainsSubstring("empty"));
}
