#include "my_plugin.hpp"

#include <cmath>
#include <cstdio>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), 1

int main() {
  const at::Tensor scores = at::log(at::tensor({0.75, 0.25, 0.5, 0.5, 0.1, 0.9}).view({3, 2}));
  const at::Tensor target = at::tensor({0, 1, 0}, at::kLong);

  MyPlugin all, first, second;
  CHECK(std::isnan(all.compute()));  // nothing was seen
  all.update(scores, target);
  CHECK(std::abs(all.compute() - (0.75 + 0.5 + 0.1) / 3) < 1e-9);

  // The value is that of all samples, however they are cut into batches.
  first.update(scores.slice(0, 0, 1), target.slice(0, 0, 1));
  second.update(scores.slice(0, 1), target.slice(0, 1));
  MyPlugin batches = first;
  batches.update(scores.slice(0, 1), target.slice(0, 1));
  CHECK(std::abs(batches.compute() - all.compute()) < 1e-9);

  // Two ranks: the trainer adds the states of the two, because each of them has LEVIN_REDUCE_SUM.
  for (size_t i = 0; i < all.states().size(); ++i)
    CHECK(at::allclose(first.states()[i].tensor + second.states()[i].tensor, all.states()[i].tensor));

  all.reset();
  CHECK(std::isnan(all.compute()));
}
