// Numbers as bytes and checksums, for files of other programs.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace levin::loggers {

inline std::string little_endian(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

constexpr uint32_t zlib_polynomial = 0xedb88320u, castagnoli_polynomial = 0x82f63b78u;

// Returns a CRC of 32 bits with the polynomial, whose bits are in reversed order.
template <uint32_t polynomial>
uint32_t crc(const std::string& bytes) {
  static constexpr std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> out{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
      out[i] = value;
    }
    return out;
  }();
  uint32_t out = ~0u;
  for (const char byte : bytes) out = out >> 8 ^ table[(out ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~out;
}

}  // namespace levin::loggers
