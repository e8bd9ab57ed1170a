#include "core/data/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

double uniform(SplitMix64& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }  // in [0, 1)

template <class Iterator>
void shuffle(Iterator first, uint64_t n, SplitMix64& random) {
  for (uint64_t i = n; i > 1; --i) std::swap(first[i - 1], first[random.below(i)]);
}

}  // namespace

uint64_t SplitMix64::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint64_t SplitMix64::below(uint64_t n) {
  const uint64_t biased =
      UINT64_MAX - UINT64_MAX % n;  // larger values are drawn again, because they would favour small results
  uint64_t value;
  do value = next();
  while (value >= biased);
  return value % n;
}

SplitMix64 epoch_generator(uint64_t seed, int64_t epoch) {
  SplitMix64 mixed(seed ^ (static_cast<uint64_t>(epoch) + 1) * 0xd1342543de82ef95ull);
  return SplitMix64(mixed.next());
}

void SequentialSampler::order(int64_t rows, int64_t, std::vector<int64_t>& out) const {
  out.resize(static_cast<size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
}

void RandomSampler::order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const {
  out.resize(static_cast<size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
  SplitMix64 random = epoch_generator(seed_, epoch);
  shuffle(out.begin(), out.size(), random);
}

void DrawingSampler::order(int64_t rows, int64_t epoch, std::vector<int64_t>& out) const {
  SplitMix64 random = epoch_generator(seed_, epoch);
  out.clear();
  if (replacement_) {
    for (int64_t i = 0; i < draws_; ++i) out.push_back(static_cast<int64_t>(random.below(static_cast<uint64_t>(rows))));
    return;
  }
  std::vector<int64_t> whole(static_cast<size_t>(rows));
  std::iota(whole.begin(), whole.end(), 0);
  while (static_cast<int64_t>(out.size()) < draws_) {
    shuffle(whole.begin(), whole.size(), random);
    const auto more = std::min<int64_t>(rows, draws_ - static_cast<int64_t>(out.size()));
    out.insert(out.end(), whole.begin(), whole.begin() + more);
  }
}

WeightedSampler::WeightedSampler(uint64_t seed, std::vector<double> weights, int64_t draws, bool replacement)
    : seed_(seed), weights_(std::move(weights)), draws_(draws), replacement_(replacement) {
  double sum = 0;
  int64_t possible = 0;
  for (const double w : weights_) {
    if (!std::isfinite(w) || w < 0)
      throw Error(ErrorCode::plugin_answer_invalid,
                  "a weighted sampler needs finite weights of 0 or more, not " + std::to_string(w));
    possible += w > 0;
    sums_.push_back(sum += w);
  }
  if (possible == 0 || (!replacement && draws > possible))
    throw Error(ErrorCode::plugin_answer_invalid,
                "a weighted sampler cannot draw " + std::to_string(draws) + " rows of " + std::to_string(possible) +
                    " with a weight above 0" + (replacement ? "" : " without replacement"));
}

void WeightedSampler::order(int64_t, int64_t epoch, std::vector<int64_t>& out) const {
  SplitMix64 random = epoch_generator(seed_, epoch);
  out.clear();
  if (replacement_) {
    for (int64_t i = 0; i < draws_; ++i) {
      const auto row = std::upper_bound(sums_.begin(), sums_.end(), uniform(random) * sums_.back());
      out.push_back(std::min<int64_t>(row - sums_.begin(), static_cast<int64_t>(sums_.size()) - 1));
    }
    return;
  }
  std::vector<std::pair<double, int64_t>> keys;
  for (size_t i = 0; i < weights_.size(); ++i) {
    const double key = -std::log1p(-uniform(random));
    if (weights_[i] > 0) keys.emplace_back(key / weights_[i], static_cast<int64_t>(i));
  }
  std::partial_sort(keys.begin(), keys.begin() + draws_, keys.end());
  for (int64_t i = 0; i < draws_; ++i) out.push_back(keys[static_cast<size_t>(i)].second);
}

void SubsetSampler::order(int64_t, int64_t epoch, std::vector<int64_t>& out) const {
  out = indices_;
  SplitMix64 random = epoch_generator(seed_, epoch);
  if (shuffle_) shuffle(out.begin(), out.size(), random);
}

std::unique_ptr<Sampler> make_sampler(const levin_loader& request, int64_t rows, uint64_t seed) {
  const auto draws = request.n > 0 ? request.n : rows;
  switch (request.sampler) {
    case LEVIN_SAMPLER_SEQUENTIAL:
      return std::make_unique<SequentialSampler>();
    case LEVIN_SAMPLER_RANDOM:
      if (request.n <= 0 && !request.replacement) return std::make_unique<RandomSampler>(seed);
      return std::make_unique<DrawingSampler>(seed, rows == 0 ? 0 : draws, request.replacement != 0);
    case LEVIN_SAMPLER_WEIGHTED:
      if (!request.weights)
        throw Error(ErrorCode::plugin_answer_invalid, "a weighted sampler needs a weight for each row");
      return std::make_unique<WeightedSampler>(seed, std::vector<double>(request.weights, request.weights + rows),
                                               draws, request.replacement != 0);
    case LEVIN_SAMPLER_SUBSET: {
      if (request.n < 0)
        throw Error(ErrorCode::plugin_answer_invalid, "a subset sampler has " + std::to_string(request.n) + " rows");
      std::vector<int64_t> indices(request.indices, request.indices + (request.indices ? request.n : 0));
      for (const int64_t i : indices)
        if (i < 0 || i >= rows)
          throw Error(ErrorCode::plugin_answer_invalid,
                      "a subset sampler names row " + std::to_string(i) + ", and there are " + std::to_string(rows));
      return std::make_unique<SubsetSampler>(seed, std::move(indices), request.shuffle != 0);
    }
    default:
      if (request.shuffle) return std::make_unique<RandomSampler>(seed);
      return std::make_unique<SequentialSampler>();
  }
}

int64_t share_size(int64_t n, const Share& share) {
  const int64_t world = share.world_size;
  if (!share.repeat) return (n - share.rank + world - 1) / world;
  return share.drop_last ? n / world : (n + world - 1) / world;
}

int64_t stream_share(int64_t n, const Share& share) {
  return share.repeat ? n / share.world_size : share_size(n, share);
}

void take_share(std::vector<int64_t>& order, const Share& share) {
  if (share.world_size <= 1) return;
  const auto n = static_cast<int64_t>(order.size());
  std::vector<int64_t> mine;
  for (int64_t i = 0; i < share_size(n, share); ++i)
    mine.push_back(order[static_cast<size_t>((i * share.world_size + share.rank) % n)]);
  order = std::move(mine);
}

}  // namespace levin::core
