#include "core/optim/optimizer_turns.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/error.hpp"

namespace levin::core {

std::vector<uint32_t> optimizers_of_batch(const std::vector<int64_t>& frequencies, int64_t batch_idx) {
  std::vector<uint32_t> all(frequencies.size());
  std::iota(all.begin(), all.end(), 0u);
  const int64_t cycle = std::accumulate(frequencies.begin(), frequencies.end(), int64_t{0});
  if (cycle == 0) return all;
  int64_t place = batch_idx % cycle;
  uint32_t turn = 0;
  while (place >= frequencies[turn]) place -= frequencies[turn++];
  return {turn};
}

void check_frequencies(const std::vector<int64_t>& frequencies) {
  const auto given = std::count_if(frequencies.begin(), frequencies.end(), [](int64_t f) { return f > 0; });
  if (given == 0 || static_cast<size_t>(given) == frequencies.size()) return;
  throw Error(ErrorCode::optimizer_misconfigured, "configure_optimizers gave a frequency to " + std::to_string(given) +
                                                      " of " + std::to_string(frequencies.size()) +
                                                      " optimizers; give one to each, or to none");
}

}  // namespace levin::core
