// The directory of a zip archive (.npz), with zip64. Reads stored and deflated members.
#pragma once
#include <vector>

#include "../common/arrays/bytes.hpp"

namespace npy {

using arrays::Bytes;

constexpr std::string_view zip_mark = "PK\3\4";

struct Member {
  std::string name;
  uint64_t header = 0;             // offset of its local header
  uint64_t stored = 0, bytes = 0;  // size in the archive, and unpacked
  uint32_t crc = 0;
  uint64_t method = 0;  // 0 = stored, 8 = deflated
  bool encrypted = false;
};

std::vector<Member> read_directory(const Bytes& file);

// Returns the content of a stored member in place. Unpacks a deflated member into `unpacked`, after a check that it
// fits into memory. The CRC-32 is verified, except of stored members beyond 1 GiB, which would be read twice.
Bytes content(const Bytes& file, const Member& member, std::vector<uint8_t>& unpacked);

}  // namespace npy
