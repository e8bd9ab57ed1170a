// Animated GIF images: TensorBoard shows a video as one.
#pragma once
#include <cstdint>
#include <string>

namespace levin::tensorboard {

struct Video {
  const uint8_t* pixels;  // [frames, height, width, channels], row-major, with 1 (grey), 3 (RGB) or 4 (RGBA) channels
  int64_t frames, height, width, channels;
};

// Returns the bytes of a GIF file that repeats forever. Up to 256 colours are exact; more are shown by 252 colours,
// dithered. Opacity is left out. Throws Error{LEVIN_E_INVALID} for no or more than 65535 pixels a side, and for no
// frames a second.
std::string gif(const Video& video, double frames_per_second);

}  // namespace levin::tensorboard
