#include "wav.hpp"

#include <algorithm>
#include <cmath>

namespace levin::tensorboard {
namespace {

void put(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

int16_t pcm(float sample) {
  if (std::isnan(sample)) return 0;
  return static_cast<int16_t>(std::lround(std::min(1.0f, std::max(-1.0f, sample)) * 32767));
}

}  // namespace

std::string wav(const float* samples, int64_t n, int64_t channels, double samples_per_second) {
  const auto data = static_cast<uint32_t>(n * channels * 2), width = static_cast<uint32_t>(channels * 2);
  const auto rate = static_cast<uint32_t>(std::lround(samples_per_second));
  std::string out = "RIFF";
  put(out, 36 + data, 4);
  out += "WAVEfmt ";
  put(out, 16, 4);
  put(out, 1, 2);  // uncompressed
  put(out, static_cast<uint32_t>(channels), 2);
  put(out, rate, 4);
  put(out, rate * width, 4);
  put(out, width, 2);
  put(out, 16, 2);
  out += "data";
  put(out, data, 4);
  for (int64_t i = 0; i < n * channels; ++i) put(out, static_cast<uint16_t>(pcm(samples[i])), 2);
  return out;
}

}  // namespace levin::tensorboard
