// The choice of the optimizers that step on a batch in automatic optimization: the rule of Lightning 1.x as pure
// functions.
#pragma once
#include <cstdint>
#include <vector>

namespace levin::core {

// frequencies: the number of consecutive batches of each optimizer. Exactly one optimizer then steps on a batch, and
// the cycle restarts with each epoch (as in 1.5 and later). If all are 0, every optimizer steps on every batch.
std::vector<uint32_t> optimizers_of_batch(const std::vector<int64_t>& frequencies, int64_t batch_idx);

// Throws Error{usage} if some optimizers have a frequency and others have none.
void check_frequencies(const std::vector<int64_t>& frequencies);

}  // namespace levin::core
