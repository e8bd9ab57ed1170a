#include "core/data/sampler.hpp"

#include <numeric>
#include <utility>

namespace levin::core {

uint64_t SplitMix64::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint64_t SplitMix64::below(uint64_t n) {
  const uint64_t biased = UINT64_MAX - UINT64_MAX % n;  // values from here on would favour small results
  uint64_t value;
  do value = next();
  while (value >= biased);
  return value % n;
}

void SequentialSampler::order(int64_t rows, int64_t, std::vector<int64_t>& out) const {
  out.resize(static_cast<size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
}

void RandomSampler::order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const {
  out.resize(static_cast<size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
  SplitMix64 mixed(seed_ ^ (static_cast<uint64_t>(epoch) + 1) * 0xd1342543de82ef95ull);
  SplitMix64 random(mixed.next());
  for (size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
}

}  // namespace levin::core
