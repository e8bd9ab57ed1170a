// zlib streams without a library: repetitions of the last 32 KiB, in the fixed Huffman codes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail::image {

inline uint32_t adler32(const std::string& data) {
  uint32_t a = 1, b = 0;
  for (size_t begin = 0; begin < data.size(); begin += 5552) {  // so that b stays below 2^32
    for (size_t i = begin; i < std::min(begin + 5552, data.size()); ++i) b += a += static_cast<unsigned char>(data[i]);
    a %= 65521, b %= 65521;
  }
  return b << 16 | a;
}

// RFC 1951. The data is one block.
class Deflate {
 public:
  std::string compress(const std::string& data) {
    bits(1, 1), bits(1, 2);                           // the last block, with the fixed codes
    std::vector<size_t> last(size_t{1} << 15, none);  // by the hash of three bytes
    for (size_t at = 0; at < data.size();) {
      size_t length = 0, from = none;
      if (at + 3 <= data.size()) {
        size_t& place = last[hash(data, at)];
        if (place != none && at - place <= 32768) length = common(data, from = place, at);
        place = at;
      }
      if (length < 3) {
        symbol(static_cast<unsigned char>(data[at++]));
        continue;
      }
      repetition(length, at - from);
      for (size_t i = at + 1; i < at + length && i + 3 <= data.size(); ++i) last[hash(data, i)] = i;
      at += length;
    }
    symbol(256);
    if (n_ > 0) bits(0, 8 - n_);
    return std::move(out_);
  }

 private:
  static constexpr size_t none = ~size_t{0}, longest = 258;

  static size_t hash(const std::string& data, size_t at) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(data[at + i])); };
    return (byte(0) << 16 | byte(1) << 8 | byte(2)) * 2654435761u >> 17;
  }
  static size_t common(const std::string& data, size_t from, size_t at) {
    size_t length = 0;
    while (length < longest && at + length < data.size() && data[from + length] == data[at + length]) ++length;
    return length;
  }

  void bits(uint32_t value, int count) {
    for (int i = 0; i < count; ++i) {
      byte_ |= (value >> i & 1) << n_;
      if (++n_ < 8) continue;
      out_ += static_cast<char>(byte_);
      byte_ = 0, n_ = 0;
    }
  }
  // Codes begin with their highest bit.
  void code(uint32_t value, int count) {
    for (int i = count; i-- > 0;) bits(value >> i & 1, 1);
  }
  void symbol(uint32_t value) {
    if (value < 144) return code(0x30 + value, 8);
    if (value < 256) return code(0x190 + value - 144, 9);
    if (value < 280) return code(value - 256, 7);
    code(0xc0 + value - 280, 8);
  }
  void repetition(size_t length, size_t distance) {
    static constexpr uint16_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    uint32_t n = 28;
    while (lengths[n] > length) --n;
    symbol(257 + n);
    if (n >= 8 && n < 28) bits(static_cast<uint32_t>(length - lengths[n]), static_cast<int>(n - 4) / 4);
    // The distances of a code begin at 1 + (2 + code % 2) * 2^(code / 2 - 1).
    uint32_t d = 0;
    const auto begin = [](uint32_t c) { return c < 2 ? c + 1 : 1 + ((2 + (c & 1)) << (c / 2 - 1)); };
    while (d < 29 && begin(d + 1) <= distance) ++d;
    code(d, 5);
    if (d >= 4) bits(static_cast<uint32_t>(distance) - begin(d), static_cast<int>(d / 2 - 1));
  }

  std::string out_;
  uint32_t byte_ = 0;
  int n_ = 0;  // bits in byte_
};

}  // namespace detail::image

// Returns the data as a zlib stream (RFC 1950).
inline std::string zlib_stream(const std::string& data) {
  std::string out = "\x78\x01" + detail::image::Deflate().compress(data);
  const uint32_t sum = detail::image::adler32(data);
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(sum >> shift & 0xff);
  return out;
}

}  // namespace levin
#pragma GCC visibility pop
