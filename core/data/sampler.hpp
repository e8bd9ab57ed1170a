// The order of rows in an epoch. It depends only on the seed and the epoch, not on the machine or the LibTorch version.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// The random generator SplitMix64 (Steele, Lea, Flood 2014).
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t n);  // uniform in [0, n), without bias; n > 0

 private:
  uint64_t state_;
};

SplitMix64 epoch_generator(uint64_t seed, int64_t epoch);  // of the random numbers of an epoch

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const = 0;
  virtual int64_t length(int64_t rows) const { return rows; }  // the number of indices in the order
};

class SequentialSampler : public Sampler {
 public:
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
};

// A Fisher-Yates shuffle, different in each epoch.
class RandomSampler : public Sampler {
 public:
  explicit RandomSampler(uint64_t seed) : seed_(seed) {}
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;

 private:
  uint64_t seed_;
};

// A given number of draws: independent ones with replacement, or, without it, from as many shuffles as needed.
class DrawingSampler : public Sampler {
 public:
  DrawingSampler(uint64_t seed, int64_t draws, bool replacement)
      : seed_(seed), draws_(draws), replacement_(replacement) {}
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t) const override { return draws_; }

 private:
  uint64_t seed_;
  int64_t draws_;
  bool replacement_;
};

// A given number of draws in which a row's probability is proportional to its weight. Without replacement, rows are
// drawn by exponential keys (Efraimidis, Spirakis 2006). Throws Error{plugin} if a weight is negative or not finite, or
// if there are too few rows to draw.
class WeightedSampler : public Sampler {
 public:
  WeightedSampler(uint64_t seed, std::vector<double> weights, int64_t draws, bool replacement);
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t) const override { return draws_; }

 private:
  uint64_t seed_;
  std::vector<double> weights_, sums_;  // sums_[i]: sum of the weights up to row i
  int64_t draws_;
  bool replacement_;
};

class SubsetSampler : public Sampler {
 public:
  SubsetSampler(uint64_t seed, std::vector<int64_t> indices, bool shuffle)
      : seed_(seed), indices_(std::move(indices)), shuffle_(shuffle) {}
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t) const override { return static_cast<int64_t>(indices_.size()); }

 private:
  uint64_t seed_;
  std::vector<int64_t> indices_;
  bool shuffle_;
};

// Makes the sampler that a data module requested. rows: the number of rows of the loader. Throws Error{plugin}.
std::unique_ptr<Sampler> make_sampler(const levin_loader& request, int64_t rows, uint64_t seed);

// One process's share of the rows.
struct Share {
  int rank = 0, world_size = 1;
  bool drop_last = false;  // make shares equal by dropping rows; else by repeating rows from the start
  bool repeat = true;      // false for evaluation: no row is repeated, and shares may differ by one
};
int64_t share_size(int64_t n, const Share& share);
// Returns the number of a process's batches of a stream of n batches. If shares have to be equal, the batches at the
// end are dropped.
int64_t stream_share(int64_t n, const Share& share);
void take_share(std::vector<int64_t>& order, const Share& share);

}  // namespace levin::core
