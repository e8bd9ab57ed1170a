// The order of training samples with a shuffle buffer: files are read one after another, nearly from begin to end.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace webdataset {

// Returns the indices 0 to shards.size()-1 in an order that depends on seed and epoch alone: the shards in random
// order, each from begin to end, through a buffer of this size out of which samples are drawn at random. shards: of
// each sample, in ascending order.
std::vector<uint32_t> buffer_order(const std::vector<uint32_t>& shards, int64_t buffer, uint64_t seed, int64_t epoch);

// The orders of the last two epochs that were asked for. Thread-safe.
class BufferOrders {
 public:
  void use(std::vector<uint32_t> shards, int64_t buffer) { shards_ = std::move(shards), buffer_ = buffer; }
  std::shared_ptr<const std::vector<uint32_t>> of(uint64_t seed, int64_t epoch);

 private:
  struct Known {
    uint64_t seed = 0;
    int64_t epoch = 0;
    std::shared_ptr<const std::vector<uint32_t>> order;
  };
  std::vector<uint32_t> shards_;
  int64_t buffer_ = 0;
  std::mutex mutex_;
  Known known_[2];  // the workers may be in two epochs
};

}  // namespace webdataset
