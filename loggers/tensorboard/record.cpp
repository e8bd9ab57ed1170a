#include "record.hpp"

#include <array>

namespace levin::tensorboard {
namespace {

constexpr std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> table = make_table();

std::string little_endian(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

}  // namespace

uint32_t crc32c(const char* data, size_t n) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < n; ++i) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(data[i])) & 0xff];
  return ~crc;
}

uint32_t masked_crc(const std::string& data) {
  const uint32_t crc = crc32c(data.data(), data.size());
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

std::string record(const std::string& event) {
  const std::string length = little_endian(event.size(), 8);
  return length + little_endian(masked_crc(length), 4) + event + little_endian(masked_crc(event), 4);
}

}  // namespace levin::tensorboard
