#include "log_file.hpp"

#include <algorithm>
#include <array>

namespace levin::wandb {
namespace {

constexpr std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> crc_table = make_table();

constexpr size_t block = 32768, head = 7;
enum class Chunk : char { full = 1, first = 2, middle = 3, last = 4 };

std::string little_endian(uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

}  // namespace

uint32_t crc32(const std::string& bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) crc = crc >> 8 ^ crc_table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~crc;
}

std::string log_header() { return ":W&B" + little_endian(0xbee1, 2) + '\0'; }

std::string log_record(uint64_t size, const std::string& record) {
  std::string out;
  size_t done = 0;
  do {
    size_t left = block - static_cast<size_t>((size + out.size()) % block);
    if (left < head) {
      out.append(left, '\0');
      left = block;
    }
    const size_t n = std::min(record.size() - done, left - head);
    const bool begins = done == 0, ends = done + n == record.size();
    const Chunk kind = begins ? (ends ? Chunk::full : Chunk::first) : ends ? Chunk::last : Chunk::middle;
    const std::string data = static_cast<char>(kind) + record.substr(done, n);
    out += little_endian(crc32(data), 4) + little_endian(static_cast<uint32_t>(n), 2) + data;
    done += n;
  } while (done < record.size());
  return out;
}

}  // namespace levin::wandb
