// Audio samples as a WAV file.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

// Returns a file with 16-bit samples, channels interleaved. Samples beyond -1 and 1 are clipped, and NaN becomes
// silence.
std::string wav(const float* samples, int64_t n, int64_t channels, double samples_per_second);

}  // namespace levin::tensorboard
