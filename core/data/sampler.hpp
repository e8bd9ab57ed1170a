// The order of rows in an epoch: a value of (seed, epoch), the same on every machine and LibTorch.
#pragma once
#include <cstdint>
#include <vector>

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

}  // namespace levin::core
