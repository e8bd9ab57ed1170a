// PNG without compression: small code, no library, and event files of a few images stay small enough.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

// pixels: height x width x channels bytes, row-major; 1 (grey), 3 (RGB) or 4 (RGBA) channels.
std::string png(const uint8_t* pixels, uint32_t height, uint32_t width, uint32_t channels);

}  // namespace levin::tensorboard
