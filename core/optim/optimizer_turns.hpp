// Which of several optimizers takes a batch in automatic optimization: the rule of Lightning 1.x as pure functions.
#pragma once
#include <cstdint>
#include <vector>

namespace levin::core {

// `frequencies` says how many batches in a row each optimizer takes; then exactly one optimizer takes a batch, and the
// cycle starts again with each epoch (as in 1.5 and later). If they are all 0, every optimizer takes every batch.
std::vector<uint32_t> optimizers_of_batch(const std::vector<int64_t>& frequencies, int64_t batch_idx);

// Throws Error{usage} if some optimizers have a frequency and others have none.
void check_frequencies(const std::vector<int64_t>& frequencies);

}  // namespace levin::core
