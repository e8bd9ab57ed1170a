#include "buffer_order.hpp"

#include <algorithm>
#include <utility>

#include "levin/random.hpp"

namespace webdataset {

std::vector<uint32_t> buffer_order(const std::vector<uint32_t>& shards, int64_t buffer, uint64_t seed, int64_t epoch) {
  const auto n = static_cast<uint32_t>(shards.size());
  std::vector<std::pair<uint32_t, uint32_t>> files;  // first sample, and the one behind the last
  for (uint32_t i = 0; i < n; ++i) {
    if (i == 0 || shards[i] != shards[i - 1]) files.emplace_back(i, i);
    files.back().second = i + 1;
  }
  levin::Random random(seed, epoch, INT64_C(0x73686172647300));
  for (size_t i = files.size(); i > 1; --i)
    std::swap(files[i - 1], files[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
  std::vector<uint32_t> waiting, out;
  out.reserve(n);
  const auto draw = [&] {
    uint32_t& drawn = waiting[static_cast<size_t>(random.below(static_cast<int64_t>(waiting.size())))];
    out.push_back(drawn);
    drawn = waiting.back();
    waiting.pop_back();
  };
  for (const auto& [first, end] : files)
    for (uint32_t i = first; i < end; ++i) {
      waiting.push_back(i);
      if (static_cast<int64_t>(waiting.size()) >= buffer) draw();
    }
  while (!waiting.empty()) draw();
  return out;
}

std::shared_ptr<const std::vector<uint32_t>> BufferOrders::of(uint64_t seed, int64_t epoch) {
  const std::lock_guard lock(mutex_);
  for (const Known& known : known_)
    if (known.order && known.seed == seed && known.epoch == epoch) return known.order;
  std::swap(known_[0], known_[1]);
  known_[0] = {seed, epoch, std::make_shared<const std::vector<uint32_t>>(buffer_order(shards_, buffer_, seed, epoch))};
  return known_[0].order;
}

}  // namespace webdataset
