#include "log_file.hpp"

#include <algorithm>

#include "../common/bytes.hpp"

namespace levin::wandb {

using loggers::little_endian;

namespace {

constexpr size_t block = 32768, head = 7;
enum class Chunk : char { full = 1, first = 2, middle = 3, last = 4 };

}  // namespace

uint32_t crc32(const std::string& bytes) { return loggers::crc<loggers::zlib_polynomial>(bytes); }

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
