// levin::LoaderPlan: what DataModule::dataloader is told and may change.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "levin/detail/data_rows.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// How the host is about to make a loader. What is set here takes the place of that. Borrowed for the call.
class LoaderPlan {
 public:
  // What the host reads after the call; lives as long as the data module.
  struct Kept {
    std::vector<double> weights;
    std::vector<int64_t> indices;
  };
  LoaderPlan(levin_loader* raw, Kept& kept) : raw_(raw), kept_(kept) {}
  levin::Split split() const { return static_cast<levin::Split>(raw_->split); }
  int64_t loader() const { return raw_->loader; }
  int64_t epoch() const { return raw_->epoch; }  // in which it is made
  int64_t batch_size() const { return raw_->batch_size; }
  void batch_size(int64_t rows) { raw_->batch_size = rows; }
  void shuffle(bool on) { raw_->shuffle = on; }
  void drop_last(bool on) { raw_->drop_last = on; }

  // Which rows an epoch has, in which order. n: how many draws an epoch has; 0: as many as there are rows.
  void sequential() { raw_->sampler = LEVIN_SAMPLER_SEQUENTIAL; }
  void random(bool replacement = false, int64_t n = 0) {
    raw_->sampler = LEVIN_SAMPLER_RANDOM;
    raw_->replacement = replacement;
    raw_->n = n;
  }
  // Draws row i with probability weights[i] / sum; one weight for each row of this loader.
  void weighted(std::vector<double> weights, int64_t n = 0, bool replacement = true) {
    kept_.weights = std::move(weights);
    raw_->sampler = LEVIN_SAMPLER_WEIGHTED;
    raw_->weights = kept_.weights.data();
    raw_->replacement = replacement;
    raw_->n = n;
  }
  // Only these rows, shuffled where shuffle says so.
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
