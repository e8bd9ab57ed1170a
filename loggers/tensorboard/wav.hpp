// Samples of sound as a WAV file.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

// 16 bits, those of the channels in turn. Samples beyond -1 and 1 are cut off, and NaN is silence.
std::string wav(const float* samples, int64_t n, int64_t channels, double samples_per_second);

}  // namespace levin::tensorboard
