#include "core/data/bucket_sampler.hpp"

#include <algorithm>
#include <utility>

namespace levin::core {
namespace {

// More batches in a pool save little more padding, and fewer pools make epochs more alike.
constexpr int64_t most_batches_in_pool = 50;
constexpr int64_t fewest_pools = 2;

// Keeps the order of batches independent of the order of rows, which has the same seed.
constexpr uint64_t order_of_batches = 0x6a09e667f3bcc909ull;

int64_t pools_of(int64_t batches) {
  return std::max(
      {int64_t{1}, std::min(fewest_pools, batches), (batches + most_batches_in_pool - 1) / most_batches_in_pool});
}

}  // namespace

BucketSampler::BucketSampler(std::unique_ptr<const Sampler> rows, std::vector<int64_t> lengths, int64_t batch_size,
                             uint64_t seed)
    : rows_(std::move(rows)), lengths_(std::move(lengths)), batch_size_(batch_size), seed_(seed) {}

// The last pool includes the rows of the incomplete batch.
void BucketSampler::sort_pools(std::vector<int64_t>& order, int64_t batches, int64_t pools) const {
  const auto place = [&](int64_t pool) {
    return pool == pools ? order.end() : order.begin() + batches * pool / pools * batch_size_;
  };
  for (int64_t pool = 0; pool < pools; ++pool)
    std::stable_sort(place(pool), place(pool + 1), [this](int64_t a, int64_t b) {
      return lengths_[static_cast<size_t>(a)] < lengths_[static_cast<size_t>(b)];
    });
}

void BucketSampler::order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const {
  rows_->order(rows, epoch, out);
  const int64_t batches = static_cast<int64_t>(out.size()) / batch_size_, pools = pools_of(batches);
  sort_pools(out, batches, pools);
  // The incomplete batch is cut out of the last pool at a random place, so that drop_last drops rows of any length.
  SplitMix64 random = epoch_generator(seed_ ^ order_of_batches, epoch);
  const int64_t last_pool = batches * (pools - 1) / pools, incomplete = static_cast<int64_t>(out.size()) % batch_size_;
  const auto cut = last_pool + static_cast<int64_t>(random.below(static_cast<uint64_t>(batches - last_pool + 1)));
  std::rotate(out.begin() + cut * batch_size_, out.begin() + cut * batch_size_ + incomplete, out.end());
  for (int64_t n = batches; n > 1; --n) {
    const auto batch = out.begin() + (n - 1) * batch_size_;
    const auto other = static_cast<int64_t>(random.below(static_cast<uint64_t>(n)));
    if (other != n - 1) std::swap_ranges(batch, batch + batch_size_, out.begin() + other * batch_size_);
  }
}

}  // namespace levin::core
