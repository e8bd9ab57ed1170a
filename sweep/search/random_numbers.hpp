// Random numbers that are the same with every standard library. A trial's numbers depend on the seed and the number of
// the trial alone, so that a sweep that goes on suggests what it would have suggested.
#pragma once
#include <cmath>
#include <cstdint>

namespace levin::core::sweep {

class RandomNumbers {
 public:
  RandomNumbers(uint64_t seed, uint64_t number) : state_(seed * 0x9e3779b97f4a7c15u + number * 0xd1b54a32d192ed03u) {
    next();
  }

  uint64_t next() {  // SplitMix64
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
  uint64_t below(uint64_t count) { return static_cast<uint64_t>(unit() * static_cast<double>(count)); }
  double normal() {  // Box and Muller
    return std::sqrt(-2 * std::log(1 - unit())) * std::cos(6.283185307179586 * unit());
  }

 private:
  uint64_t state_;
};

}  // namespace levin::core::sweep
