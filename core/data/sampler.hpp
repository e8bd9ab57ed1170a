// The order of rows in an epoch: a value of (seed, epoch), the same on every machine and LibTorch.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// SplitMix64 (Steele, Lea, Flood 2014).
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint64_t below(uint64_t n);  // uniform in [0, n), without bias; n > 0

 private:
  uint64_t state_;
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const = 0;
  virtual int64_t length(int64_t rows) const { return rows; }  // of the order
};

class SequentialSampler : public Sampler {
 public:
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
};

// A Fisher-Yates shuffle, another one each epoch.
class RandomSampler : public Sampler {
 public:
  explicit RandomSampler(uint64_t seed) : seed_(seed) {}
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;

 private:
  uint64_t seed_;
};

// n draws: shuffle after shuffle, or independent ones with replacement.
class DrawingSampler : public Sampler {
 public:
  DrawingSampler(uint64_t seed, int64_t n, bool replacement) : seed_(seed), n_(n), replacement_(replacement) {}
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t) const override { return n_; }

 private:
  uint64_t seed_;
  int64_t n_;
  bool replacement_;
};

// n draws, a row with the probability of its weight. Without replacement by exponential keys (Efraimidis, Spirakis
// 2006). Throws Error{usage} for weights that are negative or not finite, or too few rows to draw.
class WeightedSampler : public Sampler {
 public:
  WeightedSampler(uint64_t seed, std::vector<double> weights, int64_t n, bool replacement);
  void order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const override;
  int64_t length(int64_t) const override { return n_; }

 private:
  uint64_t seed_;
  std::vector<double> weights_, sums_;
  int64_t n_;
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

// As a data module's levin_loader says. rows: of the loader, -1 unknown. Throws Error{usage}.
std::unique_ptr<Sampler> make_sampler(const levin_loader& wish, int64_t rows, uint64_t seed);

// One process's share of an order.
struct Share {
  int rank = 0, world_size = 1;
  bool drop_last = false;  // else what is missing for equal shares is taken from the start of the order again
  bool repeat = true;      // false: shares may differ by one, nothing comes twice (predictions)
};
int64_t share_size(int64_t n, const Share& share);
void take_share(std::vector<int64_t>& order, const Share& share);

}  // namespace levin::core
