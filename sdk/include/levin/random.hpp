// levin::Random: random numbers that depend only on the seeds given to the constructor and are the same on every
// machine. It is SplitMix64 (Steele, Lea, Flood 2014): for augmentation and splits, not for cryptography.
#pragma once
#include <cstdint>
#include <type_traits>

#pragma GCC visibility push(hidden)
namespace levin {

class Random {
 public:
  // The seeds are integers: Random(seed, epoch, index) gives each row its own numbers in each epoch.
  template <class... Keys, class = std::enable_if_t<(std::is_integral_v<Keys> && ...)>>
  explicit Random(Keys... keys) {
    ((state_ = mixed(state_ ^ static_cast<uint64_t>(keys))), ...);
  }

  // A generator as in <random>, for std::normal_distribution and the like. The numbers of these distributions differ
  // between C++ libraries.
  using result_type = uint64_t;
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return UINT64_MAX; }
  uint64_t operator()() {
    state_ += step;
    return finished(state_);
  }
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }  // in [0, 1)
  double uniform(double from, double to) { return from + (to - from) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }
  // Returns an integer in [0, n), uniformly distributed; n is at least 1.
  int64_t below(int64_t n) {
    const auto range = static_cast<uint64_t>(n);
    const uint64_t uneven = UINT64_MAX % range;
    uint64_t drawn = (*this)();
    while (drawn >= UINT64_MAX - uneven) drawn = (*this)();
    return static_cast<int64_t>(drawn % range);
  }

 private:
  static constexpr uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  static uint64_t finished(uint64_t k) {
    k = (k ^ (k >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    k = (k ^ (k >> 27)) * UINT64_C(0x94d049bb133111eb);
    return k ^ (k >> 31);
  }
  static uint64_t mixed(uint64_t k) { return finished(k + step); }
  uint64_t state_ = 0;
};

}  // namespace levin
#pragma GCC visibility pop
