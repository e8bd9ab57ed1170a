#include "callbacks/pruning/sparsity.hpp"
#include "catch.hpp"

namespace pruning_test {
using namespace levin::pruning;

TEST_CASE("the part of pruned weights grows fast at first and ends at the amount") {
  const Epochs epochs{2, 5};
  CHECK_FALSE(epochs.contain(1));
  CHECK(epochs.contain(2));
  CHECK(epochs.contain(5));
  CHECK_FALSE(epochs.contain(6));
  double before = 0, growth = 1;
  for (int64_t epoch = 2; epoch <= 5; ++epoch) {
    const double now = sparsity_in(epochs, 0.8, epoch);
    CHECK(now > before);
    CHECK(now - before < growth);
    growth = now - before;
    before = now;
  }
  CHECK(before == 0.8);
}

TEST_CASE("a single epoch prunes the whole amount") { CHECK(sparsity_in({3, 3}, 0.5, 3) == 0.5); }

}  // namespace pruning_test
