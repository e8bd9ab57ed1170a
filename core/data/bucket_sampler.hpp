// Batches of rows of similar length, which need less padding (data.bucket_by_length).
#pragma once
#include <memory>
#include <vector>

#include "core/data/sampler.hpp"

namespace levin::core {

// Has the rows of another sampler in an order in which the rows of a batch are of similar length. The order is cut into
// pools of up to 50 batches; each pool is sorted by length and cut into batches, and the batches are shuffled. The
// incomplete batch is the last one.
class BucketSampler : public Sampler {
 public:
  // lengths: one per row of the loader, in any unit. batch_size: over all processes, whose rows of a step are then of
  // similar length too.
  BucketSampler(std::unique_ptr<const Sampler> rows, std::vector<int64_t> lengths, int64_t batch_size, uint64_t seed);
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t rows) const override { return rows_->length(rows); }

 private:
  void sort_pools(std::vector<int64_t>& order, int64_t batches, int64_t pools) const;

  std::unique_ptr<const Sampler> rows_;
  std::vector<int64_t> lengths_;
  int64_t batch_size_;
  uint64_t seed_;
};

}  // namespace levin::core
