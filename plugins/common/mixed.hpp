// Random numbers that are the same on every machine.
#pragma once
#include <cstdint>

namespace common {

// The mixing function of SplitMix64: number k of a stream.
inline uint64_t mixed(uint64_t k) {
  k += UINT64_C(0x9e3779b97f4a7c15);
  k = (k ^ (k >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  k = (k ^ (k >> 27)) * UINT64_C(0x94d049bb133111eb);
  return k ^ (k >> 31);
}

// Returns the start of the random stream of one row in one epoch, for augmentation.
inline uint64_t stream_of(uint64_t seed, int64_t epoch, int64_t index) {
  return mixed(mixed(mixed(seed) ^ static_cast<uint64_t>(epoch)) ^ static_cast<uint64_t>(index));
}

}  // namespace common
