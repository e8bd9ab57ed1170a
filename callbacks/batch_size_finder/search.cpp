#include "search.hpp"

#include <algorithm>

namespace levin::batch_size_finder {

bool Search::grow(int64_t to) {
  if (options_.rows >= 0 && size_ >= options_.rows) return false;
  to = std::min(to, options_.max_val);
  const bool changed = to != size_;
  size_ = to;
  return changed && size_ < options_.max_val;  // the largest size is accepted without a trial
}

void Search::fits() {
  any_ = true;
  low_ = size_;
  if (++trials_ >= options_.max_trials) {
    done_ = true;
    return;
  }
  if (high_ == 0) {
    done_ = !grow(size_ * 2);
    return;
  }
  done_ = high_ - low_ <= 1;
  if (!done_) size_ = (high_ + low_) / 2;
}

void Search::does_not_fit() {
  if (!options_.binary) {
    size_ /= 2;
    done_ = any_ || size_ == 0 || ++trials_ >= options_.max_trials;
    return;
  }
  high_ = size_;
  size_ = (high_ + low_) / 2;
  done_ = high_ - low_ <= 1;
  if (done_ && !any_) size_ = 0;
}

int64_t Search::result() const {
  if (!options_.binary || size_ == 0) return size_;
  return std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(size_) * (1 - options_.margin)));
}

}  // namespace levin::batch_size_finder
