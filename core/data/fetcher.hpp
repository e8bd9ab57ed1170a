// Batches of one loader with the knowledge of which is the last.
#pragma once
#include <algorithm>

#include "core/data/loader.hpp"

namespace levin::core {

// A loader of known length is not read ahead; of a stream, one batch is.
class Fetcher {
 public:
  explicit Fetcher(Loader& loader) : loader_(loader) {}
  void begin_epoch(int64_t epoch, int64_t first, int64_t limit) {
    loader_.begin_epoch(epoch, first, limit);
    end_ = loader_.size() ? (limit < 0 ? *loader_.size() : std::min(*loader_.size(), limit)) : -1;
    taken_ = first;
    ahead_ = nullptr;
    if (end_ < 0) ahead_ = loader_.next();
  }
  Batch* next() {
    Batch* batch = end_ < 0 ? ahead_ : loader_.next();
    if (!batch) return nullptr;
    ++taken_;
    if (end_ < 0) ahead_ = loader_.next();
    return batch;
  }
  bool done() const { return end_ < 0 ? !ahead_ : taken_ >= end_; }  // after next: that was the last

 private:
  Loader& loader_;
  Batch* ahead_ = nullptr;
  int64_t end_ = -1, taken_ = 0;
};

}  // namespace levin::core
