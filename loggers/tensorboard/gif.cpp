#include "gif.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "../common/bytes.hpp"
#include "levin/error.hpp"

namespace levin::tensorboard {
namespace {

using Colour = std::array<uint8_t, 3>;

Colour colour_of(const Video& video, int64_t pixel) {
  const uint8_t* const at = video.pixels + pixel * video.channels;
  return video.channels == 1 ? Colour{at[0], at[0], at[0]} : Colour{at[0], at[1], at[2]};
}
uint32_t key_of(Colour c) { return uint32_t{c[0]} << 16 | uint32_t{c[1]} << 8 | c[2]; }

// At most 256 colours, and the index of each pixel among them.
struct Indexed {
  std::vector<Colour> colours;
  std::vector<uint8_t> pixels;
};

// Returns false if the video has more than 256 colours.
bool index_exactly(const Video& video, int64_t count, Indexed& out) {
  std::unordered_map<uint32_t, uint8_t> known;
  for (int64_t i = 0; i < count; ++i) {
    const Colour colour = colour_of(video, i);
    const auto found = known.find(key_of(colour));
    if (found == known.end()) {
      if (out.colours.size() == 256) return false;
      known[key_of(colour)] = static_cast<uint8_t>(out.colours.size());
      out.pixels.push_back(static_cast<uint8_t>(out.colours.size()));
      out.colours.push_back(colour);
    } else {
      out.pixels.push_back(found->second);
    }
  }
  return true;
}

// 6 x 7 x 6 levels of red, green and blue, by Bayer's ordered dithering with a matrix of 4 x 4.
Indexed index_by_levels(const Video& video, int64_t count) {
  constexpr int levels[] = {6, 7, 6};
  constexpr int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  const auto level = [](int value, int highest) { return static_cast<uint8_t>(value * 255 / highest); };
  Indexed out;
  for (int r = 0; r < levels[0]; ++r)
    for (int g = 0; g < levels[1]; ++g)
      for (int b = 0; b < levels[2]; ++b)
        out.colours.push_back({level(r, levels[0] - 1), level(g, levels[1] - 1), level(b, levels[2] - 1)});
  for (int64_t i = 0; i < count; ++i) {
    const Colour colour = colour_of(video, i);
    const int threshold = bayer[i / video.width % video.height % 4][i % video.width % 4];
    int index = 0;
    for (size_t c = 0; c < 3; ++c) {
      const int scaled = colour[c] * (levels[c] - 1) * 32 / 255;  // in parts of a level
      index = index * levels[c] + std::min(levels[c] - 1, (scaled + 2 * threshold + 1) / 32);
    }
    out.pixels.push_back(static_cast<uint8_t>(index));
  }
  return out;
}

std::string two_bytes(int64_t value) { return loggers::little_endian(static_cast<uint64_t>(value), 2); }

// The compression of GIF: LZW with codes of 9 to 12 bits, in blocks of at most 255 bytes.
class Lzw {
 public:
  std::string of(const uint8_t* pixels, int64_t count) {
    restart();
    uint32_t prefix = pixels[0];
    for (int64_t i = 1; i < count; ++i) {
      const uint32_t longer = prefix << 8 | pixels[i];
      if (const auto found = codes_.find(longer); found != codes_.end()) {
        prefix = found->second;
        continue;
      }
      put(prefix);
      prefix = pixels[i];
      if (next_ == 4096) {
        restart();
        continue;
      }
      if (next_ == 1u << width_) ++width_;
      codes_[longer] = next_++;
    }
    put(prefix);
    if (next_ == 1u << width_ && width_ < 12) ++width_;  // as the reader, which has added a code
    put(end);
    if (bits_) bytes_ += static_cast<char>(buffer_);
    std::string out = "\x08";
    for (size_t at = 0; at < bytes_.size(); at += 255) {
      const std::string block = bytes_.substr(at, 255);
      out += static_cast<char>(block.size()) + block;
    }
    return out + '\0';
  }

 private:
  static constexpr uint32_t clear = 256, end = 257;

  void restart() {
    if (next_) put(clear);
    codes_.clear();
    width_ = 9;
    if (!next_) put(clear);
    next_ = 258;
  }
  void put(uint32_t code) {
    buffer_ |= code << bits_;
    for (bits_ += width_; bits_ >= 8; bits_ -= 8, buffer_ >>= 8) bytes_ += static_cast<char>(buffer_ & 0xff);
  }

  std::unordered_map<uint32_t, uint32_t> codes_;  // code of a known row of pixels << 8 | next pixel
  uint32_t next_ = 0, width_ = 9, buffer_ = 0, bits_ = 0;
  std::string bytes_;
};

}  // namespace

std::string gif(const Video& video, double frames_per_second) {
  if (std::min(video.height, video.width) < 1 || std::max(video.height, video.width) > 65535)
    throw Error(LEVIN_E_INVALID, "a video has 1 to 65535 pixels in a row and a column");
  if (!(frames_per_second > 0)) throw Error(LEVIN_E_INVALID, "a video needs a number of frames a second above 0");
  const int64_t size = video.height * video.width, count = video.frames * size;
  Indexed indexed;
  if (!index_exactly(video, count, indexed)) indexed = index_by_levels(video, count);
  const std::string sides = two_bytes(video.width) + two_bytes(video.height);
  std::string out = "GIF89a" + sides + std::string("\xf7\0\0", 3);  // 256 colours for all frames
  indexed.colours.resize(256);
  for (const Colour& colour : indexed.colours) out.append(colour.begin(), colour.end());
  out += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // repeat forever
  const double hundredths = std::clamp(std::round(100 / frames_per_second), 1.0, 65535.0);
  for (int64_t frame = 0; frame < video.frames; ++frame) {
    out += std::string("\x21\xf9\x04\0", 4) + two_bytes(static_cast<int64_t>(hundredths)) + std::string("\0\0", 2);
    out += ',' + std::string(4, '\0') + sides + '\0' + Lzw().of(indexed.pixels.data() + frame * size, size);
  }
  return out + ';';
}

}  // namespace levin::tensorboard
