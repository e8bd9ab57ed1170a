// levin::LoaderPlan: the argument of dataloader of a data module.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "levin/detail/data_rows.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The settings with which the host will create a loader. The data module may change them. Borrowed for the call.
class LoaderPlan {
 public:
  // Data that the host reads after the call; lives as long as the data module.
  struct Kept {
    std::vector<double> weights;
    std::vector<int64_t> indices;
  };
  LoaderPlan(levin_loader* raw, Kept& kept) : raw_(raw), kept_(kept) {}
  levin::Split split() const { return static_cast<levin::Split>(raw_->split); }
  int64_t loader() const { return raw_->loader; }
  int64_t epoch() const { return raw_->epoch; }  // the epoch in which the loader is made
  int64_t batch_size() const { return raw_->batch_size; }
  void batch_size(int64_t rows) { raw_->batch_size = rows; }
  void shuffle(bool on) { raw_->shuffle = on; }
  void drop_last(bool on) { raw_->drop_last = on; }

  // Samplers: the rows of an epoch and their order. n: draws per epoch; 0 = the number of rows.
  void sequential() { raw_->sampler = LEVIN_SAMPLER_SEQUENTIAL; }
  void random(bool replacement = false, int64_t n = 0) {
    raw_->sampler = LEVIN_SAMPLER_RANDOM;
    raw_->replacement = replacement;
    raw_->n = n;
  }
  // Draws row i with probability weights[i] / sum; one weight per row of this loader.
  void weighted(std::vector<double> weights, int64_t n = 0, bool replacement = true) {
    kept_.weights = std::move(weights);
    raw_->sampler = LEVIN_SAMPLER_WEIGHTED;
    raw_->weights = kept_.weights.data();
    raw_->replacement = replacement;
    raw_->n = n;
  }
  // Only these rows, shuffled if shuffle is set.
  void subset(std::vector<int64_t> indices) {
    kept_.indices = std::move(indices);
    raw_->sampler = LEVIN_SAMPLER_SUBSET;
    raw_->indices = kept_.indices.data();
    raw_->n = static_cast<int64_t>(kept_.indices.size());
  }

 private:
  levin_loader* raw_;
  Kept& kept_;
};

}  // namespace levin
#pragma GCC visibility pop
